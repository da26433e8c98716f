// Galerkin's sparse matrices of a few thousand rows, and systems (T - theta M) z = c with many shifts theta near the
// leading values of T z = mu M z.
//
// The leading subspaces Y of right vectors and Z of left ones, with Z^T M Y = I, are solved for each shift by
// themselves. What is left has no eigenvalue near the shifts, and the factors of one matrix, S = (T - sigma M)^-1,
// serve all of them:
//
//   (T - theta M)^-1 = S + (theta - sigma) S M S + (theta - sigma)^2 S M S M S + ...
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "itomap/core/types.hpp"
#include "solvers/sparse_factor.hpp"

namespace itomap::detail {

/// Shifts of real columns: one where the imaginary part is positive belongs to a column and the next one, the real and
/// the imaginary part of a vector.
using Shifts = std::vector<std::complex<double>>;

/// Just above the leading value 1, at which the system would be singular.
constexpr double coarse_shift = 1.0 + 1e-5;

class CoarseMatrix {
 public:
  /// M is symmetric and positive. `leading`: pairs to solve for each shift by themselves. Nothing if left and right
  /// vectors do not fit together.
  static std::optional<CoarseMatrix> build(const SparseMatrix& t, const SparseMatrix& mass, Index leading,
                                           Index wanted);

  /// Columns that span the leading eigenvectors, slowest first.
  const Matrix& leading(bool transposed) const { return transposed ? left_ : y_; }
  /// Those of the right ones.
  const Eigen::VectorXcd& leading_values() const { return values_; }

  /// About (T - theta M)^-1 c, or of T^T.
  Matrix solved(const Matrix& c, const Shifts& shifts, bool transposed) const;
  /// Its part along the leading vectors, which is next to all of it where c is next to one of them.
  Matrix slow_solved(const Matrix& c, const Shifts& shifts, bool transposed) const;

  /// M^-1 c.
  Matrix mass_solved(const Matrix& c) const { return mass_factor_->solved(c); }

 private:
  struct LeadingPairs;

  bool set_factors();
  LeadingPairs leading_pairs(Index count, bool transposed) const;
  bool set_spaces(Matrix right, Matrix left);
  Matrix shifted_solved(const Matrix& c, bool transposed) const {
    return (transposed ? transposed_factor_ : factor_)->solved(c);
  }

  SparseMatrix t_;
  SparseMatrix mass_;
  std::unique_ptr<const SparseFactor> mass_factor_;
  std::unique_ptr<const SparseFactor> factor_;             // of T - sigma M
  std::unique_ptr<const SparseFactor> transposed_factor_;  // of its transpose
  Eigen::VectorXcd values_;
  Matrix y_;
  Matrix left_;
  Matrix z_;                   // the same space, Z^T M Y = I
  Matrix g_;                   // Z^T T Y
  double nearest_rest_ = 0.0;  // distance of values beyond the leading ones from sigma
};

}  // namespace itomap::detail
