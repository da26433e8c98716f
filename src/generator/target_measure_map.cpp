#include "itomap/generator/target_measure_map.hpp"

#include "generator/assemble.hpp"
#include "generator/reversible_map.hpp"

namespace itomap {

Generator target_measure_map(PointsView points, VectorView log_target, const TargetMeasureMapOptions& options) {
  check_values(log_target, points.rows(), "log_target");
  Generator g =
      reversible_generator(points, {options.epsilon, options.bandwidth, options.drop_isolated, options.kernel});
  g.method = Method::TargetMeasureMap;
  const Vector log_pi = kept_rows(log_target, g.kept);
  // The maximum first: log pi may be so large that halves of it lose the digits that matter.
  set_reversible_weights(g, 0.5 * (log_pi.array() - log_pi.maxCoeff()) - g.density.array().log());
  return g;
}

}  // namespace itomap
