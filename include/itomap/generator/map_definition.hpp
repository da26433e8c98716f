// Everything that determines a generator, in one value: which map, on which points, with which coefficients and scales.
//
// The three functions diffusion_map, target_measure_map and local_kernel_map are the plain way to a generator. A
// definition is for whatever needs it again: a result directory that is loaded, a subsample or another epsilon for
// error bars, new points that the eigenfunctions are extended to.
//
//   MapDefinition map{.method = Method::TargetMeasureMap, .points = x, .log_target = log_pi, .epsilon = 0.01};
//   const Generator generator = map.build();
#pragma once

#include <optional>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/generator.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

struct MapDefinition {
  Method method = Method::DiffusionMap;
  Points points{};                          ///< m x N
  Vector log_target{};                      ///< m, TMDmap
  Points drift{};                           ///< m x N, LKDmap
  std::optional<Diffusion> diffusion{};     ///< LKDmap
  std::optional<double> epsilon{};          ///< chosen from the data unless given
  std::optional<double> density_epsilon{};  ///< LKDmap; from epsilon and A unless given
  double alpha = 0.5;                       ///< diffusion map
  double eta = 0.0;                         ///< LKDmap
  VariableBandwidth bandwidth{};
  bool drop_isolated = false;
  bool keep_traps = false;  ///< LKDmap
  KernelOptions kernel{};

  bool local() const { return method == Method::LocalKernelMap || method == Method::BiasedLocalKernelMap; }

  /// Throws what the three functions throw.
  Generator build() const;

  /// The same map on some of the points.
  MapDefinition subset(const std::vector<Index>& rows) const;

  /// The generator of subset(rows), from that of all points where its kernel will do: no entry is computed again. No
  /// point is dropped from `whole`, nor from the part.
  Generator build_part(const Generator& whole, const std::vector<Index>& rows) const;
};

}  // namespace itomap
