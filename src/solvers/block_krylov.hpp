// Leading eigenpairs by a block Krylov method with thick restarts (block Krylov-Schur).
//
// The basis V of a block Krylov space satisfies  A V = V H + F B  with an orthonormal block F that is orthogonal to V.
// Eigenpairs of the small H are Ritz pairs; the residual of (theta, V y) is |B y|. When V is full, it is replaced by an
// orthonormal basis of the leading Ritz vectors, for which the relation still holds, and grows again from F.
// A block finds eigenvalues of multiplicity up to its width, where a single start vector sees one copy only.
//
// Leading means: largest real part. `locked` holds orthonormal vectors of an invariant subspace that is known already;
// the method works in its orthogonal complement with (I - Q Q^T) A, whose eigenvalues are the remaining ones.
//
// With a filter p the space is that of p(A); all values that come back are those of A, recovered from p(theta).
#pragma once

#include <cstdint>
#include <functional>

#include "solvers/chebyshev_filter.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

struct KrylovOptions {
  Index wanted = 1;
  Index block = 4;
  double tolerance = 1e-9;  // on the residual
  Index max_products = 20000;
  /// Looks at all Ritz values and the residual of the first after every step; true stops, converged or not.
  std::function<bool(const Eigen::VectorXcd& ritz, double residual)> stop = {};
  ChebyshevFilter filter = {};
  std::uint64_t seed = 0;
  Block start = {};  // replaces the first columns of the random start block; may be empty
  Index spare = 0;   // Ritz vectors behind the wanted ones to return, as far as there are any
  /// Called after every step with the number of converged pairs; may throw to stop.
  std::function<void(Index converged, Index products)> progress = {};
};

struct KrylovResult {
  Block basis;            // orthonormal, spans the wanted invariant subspace
  Eigen::VectorXcd ritz;  // its Ritz values, leading first
  Vector residuals;
  Block spare;         // Ritz vectors of the values that follow: where a search for these may start
  Index products = 0;  // with single vectors
  bool converged = false;
};

/// Columns the basis needs for so many wanted pairs.
Index krylov_basis_size(Index wanted, Index block);

/// Needs krylov_basis_size(wanted, block) + locked.cols() <= A.size. A conjugate pair is never cut: one more pair than
/// wanted may come back.
KrylovResult block_krylov(const LinearOperator& a, PointsView locked, const KrylovOptions& options);

}  // namespace itomap::detail
