#include "itomap/generator/target_measure_map.hpp"

#include <utility>

namespace itomap {

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

}  // namespace itomap
