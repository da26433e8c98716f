// What the diffusion map and TMDmap share: the symmetric kernel and its density.
#pragma once

#include <optional>
#include <vector>

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

/// The same for some of its points, from the kernel of all. Only for a fixed bandwidth: a variable one knows how many
/// points there are.
Generator reversible_part(const Generator& whole, const std::vector<Index>& points);

/// The weights of either: d = q^-alpha, and d = pi^1/2 / q.
void set_density_weights(Generator& generator, double alpha);
void set_target_weights(Generator& generator, const Vector& log_target);

/// Sets d = exp(log_weights) / rho^((d+2)/2): what a variable bandwidth does to the drift is taken back.
void set_reversible_weights(Generator& generator, Vector log_weights);

}  // namespace itomap
