// What the diffusion map and TMDmap share: the symmetric kernel and its density.
#pragma once

#include <optional>

#include "itomap/generator/generator.hpp"

namespace itomap {

/// The choices that both have.
struct ReversibleOptions {
  std::optional<double> epsilon;
  VariableBandwidth bandwidth;
  bool drop_isolated;
  const KernelOptions& kernel;
};

/// Kernel, density and diagnostics of a reversible map; the weights are left to the caller.
Generator reversible_generator(PointsView points, const ReversibleOptions& options);

/// Sets d = exp(log_weights) / rho^((d+2)/2): what a variable bandwidth does to the drift is taken back.
void set_reversible_weights(Generator& generator, Vector log_weights);

}  // namespace itomap
