// Problems of hitting a set: (I - D P D) x = b at some points, x = 0 at the others, for a Markov matrix P and the
// weights D = diag(inside) of set_edges.hpp, 0 outside.
#pragma once

#include <string>
#include <vector>

#include "itomap/analysis/committor.hpp"
#include "solvers/iteration.hpp"

namespace itomap::detail {

struct HittingProblem {
  std::string name;
  RegionSystem system;
};

struct HittingSolution {
  Vector x;
  SolveReport report;
};

/// The process of the map itself, in symmetric form first if it is reversible. What is left of the residual at points
/// of negligible weight, which the symmetric form hardly sees, is removed with P itself.
std::vector<HittingSolution> solve_forward(const Generator& generator, const Spectrum& spectrum,
                                           const std::vector<HittingProblem>& problems, const CommittorOptions& options,
                                           Reporter& reporter);

/// Any P given by its products; `slow` are approximate eigenfunctions of it.
std::vector<HittingSolution> solve_hitting(const Apply& markov, const Block& slow,
                                           const std::vector<HittingProblem>& problems, const CommittorOptions& options,
                                           Reporter& reporter);

}  // namespace itomap::detail
