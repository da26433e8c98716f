// The checks of one problem, each against the dense matrix or the O(m^2) reference.
#pragma once

#include "differential/dense_modes.hpp"
#include "differential/findings.hpp"
#include "differential/problem.hpp"
#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::differential {

/// A problem that the library solved, beside the dense decomposition of its matrix.
struct Solved {
  const Problem& problem;
  const Map& map;
  const Spectrum& spectrum;
  const DenseModes& dense;

  const detail::Generator& generator() const { return detail::generator_of(map); }
  Eigen::VectorXcd mu() const { return 1.0 + map.time_step() * spectrum.eigenvalues.array(); }
  Eigen::MatrixXcd psi() const;
  Eigen::MatrixXcd phi() const;
  /// Residuals of the right and left vectors that were returned, in the norm that the library names, and what they may
  /// differ from the solver's by: entries between components, engines that are right to the cut-off, rounding.
  Vector right_residuals() const;
  Vector left_residuals() const;
  double slack() const { return 2.0 * (dense.leak + dense.between + dense.defect + dense.sides) + dense.rounding; }
};

/// Kernel, weights, density, graph and dropped points against the reference.
void check_map(const Problem& problem, const Map& map, Findings& findings);

/// All eigenvalues that must be there, as often as they occur, in order, and none that is not one.
void check_eigenvalues(const Solved& solved, Findings& findings);

/// Everything finite, residuals as reported, both sides biorthonormal, normalised, flagged as their vectors say.
void check_vectors(const Solved& solved, Findings& findings);

/// phi_0: invariant, positive, and the one that an elimination without subtractions finds.
void check_stationary(const Solved& solved, Findings& findings);

/// Committors and passage times against elimination.
void check_committor(const Solved& solved, Findings& findings);

/// Eigenfunctions extended to points of the map come back.
void check_extension(const Solved& solved, Findings& findings);

/// The same bits from two threads, and from a result directory.
void check_threads(const Solved& solved, Findings& findings);
void check_storage(const Solved& solved, Findings& findings);

/// All of them.
Findings check(const Problem& problem);

}  // namespace itomap::differential
