// A dense matrix of a few hundred rows, and systems (T - theta) z = c with many shifts theta near its leading values.
//
// The leading invariant subspaces Y of T and Z of T^T, with Z^T Y = I, are solved for each shift by themselves. What is
// left has no eigenvalue near the shifts, and one inverse S = (T - sigma)^-1 serves all of them:
//
//   (T - theta)^-1 = S + (theta - sigma) S^2 + (theta - sigma)^2 S^3 + ...
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Shifts of real columns: one where the imaginary part is positive belongs to a column and the next one, the real and
/// the imaginary part of a vector.
using Shifts = std::vector<std::complex<double>>;

class CoarseMatrix {
 public:
  /// `leading`: pairs to solve for each shift by themselves. Nothing if left and right vectors do not fit together.
  static std::optional<CoarseMatrix> build(Matrix t, Index leading, Index wanted);

  Index leading() const { return y_.cols(); }
  /// Columns that span the leading eigenvectors, slowest first.
  const Matrix& right() const { return y_; }
  const Matrix& left() const { return left_; }

  /// About (T - theta)^-1 c, or of T^T.
  Matrix solved(const Matrix& c, const Shifts& shifts, bool transposed) const;

 private:
  bool set_spaces(Matrix right, Matrix left);

  Matrix y_;
  Matrix left_;
  Matrix z_;        // the same space, biorthonormal to Y
  Matrix g_;        // Z^T T Y
  Matrix inverse_;  // S
  double sigma_ = 0.0;
};

}  // namespace itomap::detail
