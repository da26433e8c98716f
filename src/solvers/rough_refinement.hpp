// An invariant subspace of a symmetric matrix A from that of a matrix near it in few unknowns.
//
// With A' = L R near A, and x, theta a Ritz pair of A with the residual r = A x - theta x, a better vector is x + t,
//
//   (A' - theta) t = -r,       t = (r + L z) / theta,    (theta - R L) z = R r,
//
// in the complement of what is found: conjugate gradients in few unknowns. The Ritz vectors of all x and t come next.
// What is left after one such step is the share |A - A'| / gap, so that a few products with A make up for a matrix that
// is right to a few digits.
#pragma once

#include "solvers/condensation.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

struct RefinedSubspace {
  Block basis;  // orthonormal Ritz vectors, leading first
  Vector ritz;  // their values
  Vector residuals;
  double roughness;  // largest residual that the start had: what A' is off by
  Index products;
};

struct RefinementOptions {
  Index wanted;  // leading vectors whose residuals matter; those behind them widen the gap
  double tolerance;
};

/// From `start`, orthonormal and without the known vectors, which span an invariant subspace of A. The residuals tell
/// whether it went well.
RefinedSubspace refined_subspace(const LinearOperator& a, const Condensation& rough, PointsView known, Block start,
                                 const RefinementOptions& options);

}  // namespace itomap::detail
