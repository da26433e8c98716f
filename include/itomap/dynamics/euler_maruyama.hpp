// Simulates an Itô process by forward Euler steps (Euler-Maruyama): points to build maps from.
//
//   X <- X + dt b(X) + sqrt(dt) sigma(X) xi,      xi standard normal, A = sigma sigma^T / 2
//
// For plain noise A = I the last term is sqrt(2 dt) xi. The chain's stationary density is that of the process up to
// order dt; with a large time step it is visibly another one, which is what target measure maps are there to correct.
// With a large step and a steep potential a chain may also jump so far out that the next step throws it to infinity.
// A box prevents that: a step that would leave it is not taken, the chain stays where it is for that step, and the
// number of such steps is reported. If it is not a tiny share of all steps, the box shapes the sample.
//
// Each chain takes burn_in steps that are thrown away, then `steps` steps of which every thin-th is kept:
// points after thin, 2 thin, ... steps, so steps / thin (rounded down) for a chain, and chain after chain in `points`.
//
//   dt         > 0;  steps >= thin >= 1;  burn_in >= 0;  chains >= 1
//   start      1 x N for all chains, or chains x N; empty: the start of the system. Inside the box.
//   box        none, or where steps may lead: system.box is meant for it
//
// A state that is NaN or infinite throws InvalidArgument that names the step. Every chain has random numbers of its
// own, from the seed and its number: the same bits for any number of threads, and chain 0 does not depend on `chains`.
//
//   const auto system = itomap::make_system("double-well", {.beta = 6.0});
//   const auto run = itomap::euler_maruyama(system, {.dt = 0.03, .steps = 1000000, .thin = 100, .box = system.box});
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"
#include "itomap/dynamics/systems.hpp"

namespace itomap {

struct EulerOptions {
  double dt = 0.0;
  Index steps = 0;  ///< of each chain, after the burn-in
  Index thin = 1;
  Index burn_in = 0;
  Index chains = 1;
  Points start{};
  std::optional<Box> box{};
  std::uint64_t seed = 0;
  Execution execution{};  ///< a chain runs on one thread

  void validate(Index dimension) const;
};

struct Simulation {
  Points points;                ///< chains * (steps / thin) x N
  std::vector<Index> rejected;  ///< steps of each chain that would have left the box, burn-in included
  Index steps = 0;              ///< of all chains together, burn-in included

  Index total_rejected() const;
};

Simulation euler_maruyama(const ItoSystem& system, const EulerOptions& options);

}  // namespace itomap
