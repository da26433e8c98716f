#include "itomap/generator/diffusion_map.hpp"

#include <fmt/format.h>

#include <cmath>

#include "generator/assemble.hpp"
#include "generator/reversible_map.hpp"
#include "itomap/core/error.hpp"

namespace itomap {

Generator diffusion_map(PointsView points, const DiffusionMapOptions& options) {
  if (!std::isfinite(options.alpha)) {
    throw InvalidArgument(fmt::format("alpha: {} is not a number; 1/2 and 1 are the usual choices", options.alpha));
  }
  Generator g =
      reversible_generator(points, {options.epsilon, options.bandwidth, options.drop_isolated, options.kernel});
  g.method = Method::DiffusionMap;
  set_density_weights(g, options.alpha);
  return g;
}

}  // namespace itomap
