// What the diffusion map and TMDmap share: the isotropic kernel and its density.
#pragma once

#include <optional>

#include "itomap/generator/generator.hpp"

namespace itomap {

/// Kernel, density and diagnostics of a reversible map; the weights are left to the caller.
Generator isotropic_generator(PointsView points, std::optional<double> epsilon, bool drop_isolated,
                              const KernelOptions& options);

}  // namespace itomap
