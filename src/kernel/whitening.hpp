// The metric of a local kernel at every point, and distances in it.
//
// The kernel is exp(-u) with u = |W_i (c_i - x_j)|^2, where W_i^T W_i = (A_i + eta I)^-1 / (4 epsilon) and c_i is where
// an Euler step from x_i lands. W_i is a number, a diagonal or a lower triangular matrix (the inverse Cholesky factor);
// one that is the same for all points is stored once.
#pragma once

#include <span>

#include "itomap/core/types.hpp"
#include "itomap/kernel/diffusion.hpp"

namespace itomap::detail {

/// Coordinates of m points, one coordinate after the other: loops over points are then contiguous.
struct PointColumns {
  const double* data;
  Index points;

  const double* axis(Index a) const { return data + a * points; }
};

class Whitening {
 public:
  enum class Kind { Scalar, Diagonal, Triangular };

  /// The metric of exp(-r^2 / 4 epsilon).
  static Whitening isotropic(Index dimension, double epsilon);
  /// The metric of the local kernel; A + eta I must be positive definite.
  static Whitening local(const Diffusion& diffusion, Index points, Index dimension, double epsilon, double eta);

  /// The same metric for points in another order: row k becomes row order[k].
  Whitening reordered(const std::vector<std::int32_t>& order) const;

  /// u[j - begin] = |W_i (centre - x_j)|^2 for begin <= j < end.
  void squared_distances(Index i, const double* centre, PointColumns x, Index begin, Index end, double* u) const;

  /// Half widths of the box around all points with u <= 1, and the radius of the ball around them.
  const double* unit_half_widths(Index i) const { return half_widths_.row(row(i)).data(); }
  double unit_radius(Index i) const { return radius_[row(i)]; }

  /// W is diagonal everywhere.
  bool along_axes() const { return kind_ != Kind::Triangular; }
  /// W x for every row x; constant metrics only.
  Points whitened(const Points& x) const;
  Kind kind() const { return kind_; }
  /// Whether W is the same for all rows.
  bool constant() const { return factors_.rows() == 1; }
  /// W_i^2, the diagonal of W_i^2, or the lower triangle of W_i row by row.
  std::span<const double> factors(Index i) const { return {factors_.row(row(i)).data(), std::size_t(factors_.cols())}; }

  /// A width that is typical for all rows: the median of the radii.
  double typical_radius() const;

  std::size_t memory() const;

 private:
  Index row(Index i) const { return factors_.rows() == 1 ? 0 : i; }
  void scalar_distances(Index i, const double* c, PointColumns x, Index begin, Index end, double* u) const;
  void diagonal_distances(Index i, const double* c, PointColumns x, Index begin, Index end, double* u) const;
  void triangular_distances(Index i, const double* c, PointColumns x, Index begin, Index end, double* u) const;

  Kind kind_ = Kind::Scalar;
  Index dimension_ = 0;
  Points factors_;      // squared factor, squared diagonal, or lower triangle of W row by row
  Points half_widths_;  // N a row
  Vector radius_;
};

/// det(A_i + eta I)^(1/N), the squared width of the kernel in space per unit of epsilon: its median over the points.
double median_spread(const Diffusion& diffusion, Index points, Index dimension, double eta);

}  // namespace itomap::detail
