#include "itomap/generator/map_definition.hpp"

#include "generator/reversible_map.hpp"
#include "itomap/core/error.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"

namespace itomap {

Generator MapDefinition::build() const {
  if (method == Method::DiffusionMap) {
    return diffusion_map(
        points,
        {.epsilon = epsilon, .alpha = alpha, .bandwidth = bandwidth, .drop_isolated = drop_isolated, .kernel = kernel});
  }
  if (method == Method::TargetMeasureMap) {
    return target_measure_map(
        points, log_target,
        {.epsilon = epsilon, .bandwidth = bandwidth, .drop_isolated = drop_isolated, .kernel = kernel});
  }
  if (!diffusion) {
    throw InvalidArgument("diffusion: a local kernel map needs one; set MapDefinition::diffusion");
  }
  return local_kernel_map(points, drift, *diffusion,
                          {.epsilon = epsilon,
                           .density_epsilon = density_epsilon,
                           .eta = eta,
                           .biased = method == Method::BiasedLocalKernelMap,
                           .bandwidth = bandwidth,
                           .drop_isolated = drop_isolated,
                           .keep_traps = keep_traps,
                           .kernel = kernel});
}

Generator MapDefinition::build_part(const Generator& whole, const std::vector<Index>& rows) const {
  if (local() || !bandwidth.fixed()) {
    return subset(rows).build();
  }
  Generator g = reversible_part(whole, rows);
  if (method == Method::DiffusionMap) {
    set_density_weights(g, alpha);
  } else {
    set_target_weights(g, log_target(rows));
  }
  return g;
}

MapDefinition MapDefinition::subset(const std::vector<Index>& rows) const {
  MapDefinition part = *this;
  part.points = points(rows, Eigen::all);
  if (log_target.size() > 0) {
    part.log_target = log_target(rows);
  }
  if (drift.size() > 0) {
    part.drift = drift(rows, Eigen::all);
  }
  if (diffusion) {
    part.diffusion = diffusion->subset(rows);
  }
  return part;
}

}  // namespace itomap
