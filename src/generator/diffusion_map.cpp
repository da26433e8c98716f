#include "itomap/generator/diffusion_map.hpp"

#include <utility>

namespace itomap {

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

}  // namespace itomap
