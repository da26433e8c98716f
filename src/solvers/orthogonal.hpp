// Threaded algebra with tall, thin blocks of vectors: the eigensolver's other half of the cost.
//
// All sums run over fixed chunks of rows and are added in chunk order: the same bits for any number of threads.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Below this, relative to unit vectors, a direction is rounding noise.
constexpr double breakdown = 1e-13;

using BlockRef = Eigen::Ref<Block>;

/// V^T W.
Matrix inner(PointsView v, PointsView w);

/// W -= V H.
void subtract_product(PointsView v, const Matrix& h, BlockRef w);

/// V Q for a small Q.
Block product(PointsView v, const Matrix& q);

/// V's first columns become V Q, in place.
void rotate(BlockRef v, const Matrix& q);

/// Euclidean norms of the columns.
Vector column_norms(PointsView v);

/// The columns of both, side by side.
Block joined(const Block& a, const Block& b);

/// Divides each column by its norm; zero columns stay.
void normalise_columns(BlockRef v);

/// Makes W orthogonal to the orthonormal V and returns V^T W as it was.
Matrix project_out(PointsView v, BlockRef w);

/// Orthonormal columns in place of W; returns R with W_before = W_after R. A column that depends on those before it, to
/// `tolerance`, gets a zero row in R and is set to zero; its number is added to `dependent`.
Matrix orthonormalise(BlockRef w, double tolerance, std::vector<Index>& dependent);

}  // namespace itomap::detail
