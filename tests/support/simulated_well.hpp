// A double well with noise that depends on the place, and simulations of it: drift and diffusion are known, and so is
// every random number.
//
//   b = -A grad U + div A,   A = diag(1/2 + sin(x + y) / 5, 1/2 + cos(x) / 5),   U = (x^2 - 1)^2 + y^2
//
// exp(-U) is invariant and the process reversible. Simulated by Euler-Maruyama steps much shorter than any lag.
#pragma once

#include <cstdint>
#include <span>

#include "itomap/core/types.hpp"

namespace itomap::exact {

struct SimulatedWell {
  double step = 2.5e-4;  ///< of the integrator

  static Points drift(PointsView points);
  static Points diffusion(PointsView points);  ///< m x 4, as Diffusion::matrices takes it

  /// From `start` for `time`, which is rounded to whole steps; as BlackBox of itomap/dynamics/kramers_moyal.hpp.
  void run(std::span<const double> start, double time, std::uint64_t seed, std::span<double> end) const;

  /// Frames every `dt` from a run that starts in the right well.
  Points trajectory(Index frames, double dt, std::uint64_t seed) const;
};

}  // namespace itomap::exact
