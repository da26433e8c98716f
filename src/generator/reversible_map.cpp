#include "generator/reversible_map.hpp"

#include <utility>

#include "generator/assemble.hpp"
#include "itomap/kernel/scale.hpp"
#include "kernel/density.hpp"
#include "kernel/planner.hpp"

namespace itomap {

Generator reversible_generator(PointsView points, const ReversibleOptions& options) {
  check_points(points, options.kernel);
  options.bandwidth.validate(points.rows(), points.cols());
  Generator g;
  g.epsilon = options.epsilon ? *options.epsilon : select_scale(points, options.kernel).epsilon;
  check_epsilon(g.epsilon, "epsilon");
  g.density_epsilon = g.epsilon;
  g.reversible = true;
  const Vector rho = bandwidth_of(points, options.bandwidth, options.kernel);
  const auto build = [&](const std::vector<Index>& kept) {
    auto geometry =
        KernelGeometry::variable(kept_rows(points, kept), kept_values(rho, kept), g.epsilon, options.kernel);
    g.diagnostics.intrinsic_dimension = intrinsic_dimension(geometry);
    return make_kernel(std::move(geometry), options.kernel, &g.plan);
  };
  adopt_kernel(g, connected_kernel(points.rows(), points.cols(), options.drop_isolated, build), points.rows(),
               options.kernel);
  adopt_bandwidth(g, rho, options.bandwidth, points.cols());
  g.density = g.kernel->row_sums();
  divide_by_volume(g);
  return g;
}

void set_reversible_weights(Generator& g, Vector log_weights) {
  if (g.bandwidth.size() > 0) {
    log_weights.array() -= 0.5 * double(g.bandwidth_dimension + 2) * g.bandwidth.array().log();
  }
  set_weights(g, std::move(log_weights));
}

}  // namespace itomap
