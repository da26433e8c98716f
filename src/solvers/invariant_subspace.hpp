// The invariant subspace of the leading eigenvalues, with all copies of repeated ones.
//
// A block Krylov solve finds every eigenvalue, but at most as many copies of it as the block is wide. Where it found so
// many, sweeps from fresh random blocks in the complement of all that was found look for an eigenvalue above the last
// one asked for; whatever they find is added, until a sweep finds nothing. Nearly diagonal matrices are left to
// Davidson's method, which may stop at a subspace that happens to be invariant: its answers are always swept, by Krylov
// spaces of random directions.
//
// An operator that comes with a condensed form is solved there, and the subspace carried back to the points. Only if
// the operator itself then finds that it is not invariant, the search goes on with it.
#pragma once

#include <cstdint>
#include <functional>

#include "solvers/linear_operator.hpp"

namespace itomap::detail {

struct SubspaceOptions {
  Index wanted = 1;  // leading eigenvalues beyond the known ones
  double tolerance = 1e-9;
  Index max_products = 20000;
  std::uint64_t seed = 0;
  Block start = {};  // hints for the start block; may be empty
  /// Whoever cannot tell beforehand how many are wanted says here how many more, 0 for none, whenever all so far are
  /// found. The search goes on with what it has learned, and verifies once at the end.
  std::function<Index(const Block& found)> more = {};
  std::function<void(Index converged, Index wanted, Index products)> progress = {};
};

struct InvariantSubspace {
  Block basis;  // orthonormal; without the known vectors
  Index products = 0;
  Index condensed_products = 0;
  bool converged = false;
  bool complete = false;  // the last sweep found nothing above the last wanted eigenvalue
};

/// `known` holds orthonormal vectors that span an invariant subspace.
InvariantSubspace leading_subspace(const LinearOperator& a, PointsView known, const SubspaceOptions& options);

/// Bytes that a search for so many leading pairs takes, with the vectors it ends in: of both sides, and complex, unless
/// the matrix is symmetric.
double search_bytes(Index size, Index pairs, bool symmetric);

}  // namespace itomap::detail
