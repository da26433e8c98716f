#include "itomap/generator/target_measure_map.hpp"

#include "generator/assemble.hpp"
#include "generator/reversible_map.hpp"

namespace itomap {

Generator target_measure_map(PointsView points, VectorView log_target, const TargetMeasureMapOptions& options) {
  check_values(log_target, points.rows(), "log_target");
  Generator g =
      reversible_generator(points, {options.epsilon, options.bandwidth, options.drop_isolated, options.kernel});
  g.method = Method::TargetMeasureMap;
  set_target_weights(g, kept_rows(log_target, g.kept));
  return g;
}

}  // namespace itomap
