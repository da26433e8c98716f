// Everything that determines a map, in one value: which one, on which points, with which coefficients and scales.
//
// diffusion_map, target_measure_map and local_kernel_map are the plain way to a map. A definition is what the map keeps
// of them, what a result directory holds, and what a variation starts from: the same map at another epsilon, or on some
// of its points.
//
//   MapDefinition definition = map.definition();
//   definition.epsilon = 2.0 * map.epsilon();
//   const Map wider = make_map(definition);
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "itomap/core/point_cloud.hpp"
#include "itomap/core/scale.hpp"
#include "itomap/core/types.hpp"
#include "itomap/kernel/bandwidth.hpp"
#include "itomap/kernel/diffusion.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

enum class Method { DiffusionMap, TargetMeasureMap, LocalKernelMap, BiasedLocalKernelMap };

/// "diffusion_map", "target_measure_map", "local_kernel_map" or "biased_local_kernel_map".
std::string_view to_string(Method method);
/// The inverse; throws InvalidArgument naming the choices.
Method method_from_string(std::string_view name);

struct MapDefinition {
  Method method = Method::DiffusionMap;
  PointCloud points{};                   ///< m x N
  Vector log_target{};                   ///< m, TMDmap
  Points drift{};                        ///< m x N, LKDmap
  std::optional<Diffusion> diffusion{};  ///< LKDmap
  Scale epsilon = Scale::balanced();
  Scale density_epsilon = Scale::balanced();  ///< LKDmap; the others use epsilon
  double alpha = 0.5;                         ///< diffusion map
  double eta = 0.0;                           ///< LKDmap
  VariableBandwidth bandwidth{};
  bool drop_isolated = false;
  bool keep_traps = false;  ///< LKDmap
  KernelOptions kernel{};

  bool local() const { return method == Method::LocalKernelMap || method == Method::BiasedLocalKernelMap; }

  /// Throws InvalidArgument with one line for the first thing that is wrong: a shape, a value, an option out of range.
  void validate() const;

  /// The same map on some of the points.
  MapDefinition subset(const std::vector<Index>& rows) const;
};

}  // namespace itomap
