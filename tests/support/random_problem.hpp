// Random data for property tests: any number of points and coordinates, any kind of diffusion, periods, duplicates.
//
// A problem is a function of its shape, so that a failing case is told in one line and shrinks to a small one.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap::samples {

struct ProblemShape {
  Index points = 20;        ///< >= 2
  Index dimension = 2;      ///< 1 to 6
  int diffusion_kind = 0;   ///< 0 to 4: number, numbers, diagonals, one matrix, matrices
  int periodic_axes = 0;    ///< bit a: coordinate a is periodic
  bool duplicates = false;  ///< some points occur twice
  std::uint64_t seed = 0;
};
std::ostream& operator<<(std::ostream& out, const ProblemShape& shape);

struct Problem {
  Points points;
  Points drift;
  Diffusion diffusion;
  Vector log_target;
  Vector function;  ///< to apply generators to
  std::vector<double> period;
  double epsilon;
  double density_epsilon;
  double eta;

  KernelOptions kernel(Engine engine = Engine::Auto, double cutoff = 1e-8) const;
};

Problem random_problem(const ProblemShape& shape);

/// A random orthogonal matrix.
Matrix random_rotation(Index dimension, std::uint64_t seed);
/// The numbers 0 to m - 1 in random order.
std::vector<Index> random_permutation(Index m, std::uint64_t seed);

}  // namespace itomap::samples
