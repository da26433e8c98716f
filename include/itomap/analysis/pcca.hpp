// Soft metastable sets from slow eigenfunctions: PCCA+ (Deuflhard and Weber 2005; Roeblitz and Weber 2013).
//
// K sets are found as K membership functions chi_j that are combinations of the constant and K - 1 eigenfunctions,
//
//   chi = X A,   chi >= 0,   sum_j chi_j = 1,   X = (1, psi_1, ..., psi_{K-1}),
//
// as close to 0 or 1 as such combinations can be. Because they span the space that the eigenfunctions span, a model of
// K states made of them has exactly the slow eigenvalues of the process. Crispness says how close to sets they are:
//
//   crispness = 1/K sum_j <chi_j, chi_j> / <chi_j, 1>,   <f, g> = sum_i phi_0(i) f(i) g(i),   1 for sets.
//
// A start comes from the inner simplex algorithm (the points farthest apart become the corners), and the free entries
// of A are then moved to raise the crispness, by the simplex method of Nelder and Mead. For K = 2 there is nothing to
// move: chi_0 and chi_1 are psi_1 scaled to [0, 1].
//
// Contract: functions m x (K - 1), linearly independent of the constant and of each other, in any basis: they are made
// orthonormal first. For a map that is not reversible give the real and the imaginary part of a complex pair. Cost:
// some passes over the m x K functions; the optimisation itself sees the corners of their convex hull only. Good for K
// up to about ten.
//
//   const auto soft = itomap::pcca(spectrum.eigenfunctions.re.middleCols(1, 2), spectrum.stationary);   // three sets
//   soft.memberships(i, 0);   // how much point i belongs to the heaviest
#pragma once

#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

struct PccaOptions {
  double tolerance = 1e-8;         ///< on the crispness
  Index max_evaluations = 200000;  ///< of the crispness, in all
  Execution execution{};

  void validate() const;
};

struct Pcca {
  Block memberships;             ///< m x K, >= 0, rows sum to 1; columns by descending weight <chi_j, 1>
  std::vector<Index> labels;     ///< the set with the largest membership of each point
  double crispness = 0.0;        ///< at most 1
  double start_crispness = 0.0;  ///< that of the inner simplex
  bool converged = true;         ///< false if max_evaluations ended the optimisation
};

/// Throws InvalidArgument if the functions depend on each other or on the constant.
Pcca pcca(PointsView functions, VectorView stationary, const PccaOptions& options = {});

}  // namespace itomap
