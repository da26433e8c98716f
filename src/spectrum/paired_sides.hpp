// Right and left eigenvectors of a general matrix, found apart, and how they belong together.
//
// Each side is solved by itself. An eigenvalue whose two unit vectors have a small product s = |phi^T psi| is
// ill-conditioned: a residual r on one side leaves an error of r / s in that side's value. The value
//
//   mu = phi^T P psi / phi^T psi
//
// is right to second order, and both residuals are measured with it. They may then exceed what either solver saw, and
// ask for another, sharper solve.
#pragma once

#include "core/dense_algebra.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

/// Eigenvectors of one side: P x = mu x or P^T x = mu x.
struct Side {
  ComplexVector mu;
  ComplexMatrix vectors;  // unit columns
  Vector residuals;
};

/// Rayleigh-Ritz on an invariant subspace, with residuals from the vectors themselves.
Side ritz_side(const LinearOperator& p, const Block& basis);

/// A right and a left eigenvector.
struct TwoSided {
  ComplexVector psi;
  ComplexVector phi;
};

struct PairedSides {
  ComplexVector mu;
  ComplexMatrix psi;      // unit columns
  ComplexMatrix phi;      // biorthonormal to psi as far as the tolerance allows, among equal eigenvalues always
  Vector residuals;       // of psi
  Vector left_residuals;  // of phi

  /// Vectors of mu = 0, beyond the rank of P, need not pair.
  bool two_sided(Index n) const;
};

/// In the order of the right side. The left one has as many values or more.
PairedSides paired(const LinearOperator& p, const LinearOperator& transpose, Side right, Side left, double tolerance);

}  // namespace itomap::detail
