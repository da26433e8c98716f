// Eigenpairs of a small dense matrix, leading (largest real part) first.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct ProjectedPairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  // unit columns

  /// Orthonormal real basis of the span of the first `count` vectors; one more if that would cut a conjugate pair.
  Matrix leading_basis(Index count) const;
  /// `count`, or one more if that would cut a conjugate pair.
  Index uncut(Index count) const;
};

ProjectedPairs projected_pairs(const Matrix& h, bool symmetric);

}  // namespace itomap::detail
