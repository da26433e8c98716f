#include "generator/maps.hpp"

#include <utility>

#include "generator/local_map.hpp"
#include "generator/reversible_map.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"

namespace itomap {
using namespace detail;

Map diffusion_map(PointCloud points, const DiffusionMapOptions& options) {
  return make_map({.method = Method::DiffusionMap,
                   .points = std::move(points),
                   .epsilon = options.epsilon,
                   .alpha = options.alpha,
                   .bandwidth = options.bandwidth,
                   .drop_isolated = options.drop_isolated,
                   .kernel = options.kernel},
                  options.execution);
}

Map target_measure_map(PointCloud points, Vector log_target, const TargetMeasureMapOptions& options) {
  return make_map({.method = Method::TargetMeasureMap,
                   .points = std::move(points),
                   .log_target = std::move(log_target),
                   .epsilon = options.epsilon,
                   .bandwidth = options.bandwidth,
                   .drop_isolated = options.drop_isolated,
                   .kernel = options.kernel},
                  options.execution);
}

Map local_kernel_map(PointCloud points, Points drift, Diffusion diffusion, const LocalKernelMapOptions& options) {
  return make_map({.method = options.biased ? Method::BiasedLocalKernelMap : Method::LocalKernelMap,
                   .points = std::move(points),
                   .drift = std::move(drift),
                   .diffusion = std::move(diffusion),
                   .epsilon = options.epsilon,
                   .density_epsilon = options.density_epsilon,
                   .eta = options.eta,
                   .bandwidth = options.bandwidth,
                   .drop_isolated = options.drop_isolated,
                   .keep_traps = options.keep_traps,
                   .kernel = options.kernel},
                  options.execution);
}

Generator detail::build(MapDefinition definition) {
  return definition.local() ? local_generator(std::move(definition)) : reversible_generator(std::move(definition));
}

Generator detail::build_part(const MapDefinition& definition, const Generator& whole, const std::vector<Index>& rows) {
  MapDefinition part = definition.subset(rows);
  return part.local() || !part.bandwidth.fixed() ? build(std::move(part))
                                                 : reversible_part(whole, std::move(part), rows);
}

}  // namespace itomap
