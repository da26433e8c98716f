#include "itomap/generator/local_kernel_map.hpp"

#include <utility>

namespace itomap {

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

}  // namespace itomap
