// Leading eigenpairs of a symmetric matrix that is nearly diagonal, by a block Davidson method.
//
// Outliers are points whose row is almost all diagonal: their modes are nearly unit vectors, with eigenvalues so close
// to each other that a Krylov method needs thousands of products to tell them apart. The diagonal knows them already.
// Each step expands the space by Olsen's correction of the first pairs that have not converged,
//
//   t = -M^-1 (r - alpha u),   M = diag(A) - theta,   alpha such that t is orthogonal to the Ritz vector u,
//
// which for a diagonal matrix is exact at once. The space starts from the unit vectors of the largest diagonal entries,
// from what `start` holds, and from a random block.
//
// Random directions alone do not make smooth modes appear: where the unit vectors happen to span an invariant subspace,
// all residuals vanish, and the method stops there. The caller must hand it rough smooth modes in `start`, and look
// into the complement of what it returns by other means.
#pragma once

#include "solvers/block_krylov.hpp"

namespace itomap::detail {

/// Whether enough rows are nearly diagonal for the method to pay.
bool suits_davidson(const LinearOperator& a, Index wanted);

/// As block_krylov, without filters; A must be symmetric and have its diagonal.
KrylovResult davidson(const LinearOperator& a, PointsView locked, const KrylovOptions& options);

/// Columns the two bases need for so many wanted pairs.
Index davidson_basis_size(Index wanted, Index block);

}  // namespace itomap::detail
