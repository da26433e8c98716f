// Leading eigenpairs of an operator that comes with a coarse space, by a block Davidson method.
//
// The search starts from the leading modes of the coarse space and grows by Olsen's corrections of all pairs that have
// not converged,
//
//   t = -M^-1 (r - alpha u),   alpha such that t is orthogonal to the Ritz vector u,
//
// where M^-1 is the rough inverse of A - theta (coarse_space.hpp). A step makes residuals smaller by a factor that
// depends on how much wider the bumps are than a step of the process, not on how slow the modes are: a Krylov space
// needs the more products, the smaller the steps.
//
// What lives on a few places is not in the coarse space. The caller must look into the complement.
#pragma once

#include "solvers/block_krylov.hpp"

namespace itomap::detail {

/// As block_krylov, without filters; A must have its coarse space. `start` may have any number of columns.
KrylovResult coarse_davidson(const LinearOperator& a, PointsView locked, const KrylovOptions& options);

/// Columns the two bases need for so many wanted pairs.
Index coarse_basis_size(Index wanted);

}  // namespace itomap::detail
