#include "generator/maps.hpp"

#include <utility>

#include "generator/local_map.hpp"
#include "generator/reversible_map.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"

namespace itomap {
using namespace detail;

namespace {

MapDefinition definition_of(const DiffusionMapOptions& options) {
  return {.method = Method::DiffusionMap,
          .epsilon = options.epsilon,
          .alpha = options.alpha,
          .normalization = options.normalization,
          .bandwidth = options.bandwidth,
          .drop_isolated = options.drop_isolated,
          .kernel = options.kernel};
}

MapDefinition definition_of(Vector log_target, const TargetMeasureMapOptions& options) {
  return {.method = Method::TargetMeasureMap,
          .log_target = std::move(log_target),
          .epsilon = options.epsilon,
          .normalization = options.normalization,
          .bandwidth = options.bandwidth,
          .drop_isolated = options.drop_isolated,
          .kernel = options.kernel};
}

Map map_on(PointCloud points, MapDefinition definition, const Execution& execution) {
  definition.points = std::move(points);
  return make_map(std::move(definition), execution);
}

Map map_on(Distances distances, MapDefinition definition, const Execution& execution) {
  definition.distances = std::move(distances);
  return make_map(std::move(definition), execution);
}

}  // namespace

Map diffusion_map(PointCloud points, const DiffusionMapOptions& options) {
  return map_on(std::move(points), definition_of(options), options.execution);
}

Map diffusion_map(Distances distances, const DiffusionMapOptions& options) {
  return map_on(std::move(distances), definition_of(options), options.execution);
}

Map target_measure_map(PointCloud points, Vector log_target, const TargetMeasureMapOptions& options) {
  return map_on(std::move(points), definition_of(std::move(log_target), options), options.execution);
}

Map target_measure_map(Distances distances, Vector log_target, const TargetMeasureMapOptions& options) {
  return map_on(std::move(distances), definition_of(std::move(log_target), options), options.execution);
}

Map local_kernel_map(PointCloud points, Points drift, Diffusion diffusion, const LocalKernelMapOptions& options) {
  return make_map({.method = options.biased ? Method::BiasedLocalKernelMap : Method::LocalKernelMap,
                   .points = std::move(points),
                   .drift = std::move(drift),
                   .diffusion = std::move(diffusion),
                   .epsilon = options.epsilon,
                   .density_epsilon = options.density_epsilon,
                   .eta = options.eta,
                   .normalization = options.normalization,
                   .step = options.step,
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
