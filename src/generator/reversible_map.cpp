#include "generator/reversible_map.hpp"

#include <numeric>
#include <utility>

#include "generator/assemble.hpp"
#include "itomap/kernel/scale.hpp"
#include "kernel/planner.hpp"
#include "kernel/subset_operator.hpp"

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
    g.diagnostics.intrinsic_dimension = geometry.sample().dimension;
    return make_kernel(std::move(geometry), options.kernel, &g.plan);
  };
  adopt_kernel(g, connected_kernel(points.rows(), points.cols(), options.drop_isolated, build), points.rows(),
               options.kernel);
  adopt_bandwidth(g, rho, options.bandwidth, points.cols());
  g.density = g.kernel->row_sums();
  divide_by_volume(g);
  return g;
}

Generator reversible_part(const Generator& whole, const std::vector<Index>& points) {
  Generator g;
  g.method = whole.method;
  g.reversible = true;
  g.epsilon = whole.epsilon;
  g.density_epsilon = whole.density_epsilon;
  g.plan = whole.plan;
  g.diagnostics.mean_neighbours = whole.diagnostics.mean_neighbours;
  g.kernel = std::make_shared<const SubsetOperator>(whole.kernel, points);
  g.kept.resize(points.size());
  std::iota(g.kept.begin(), g.kept.end(), Index(0));
  g.input_points = Index(points.size());
  g.threads = whole.threads;
  g.memory = whole.memory;
  g.density = g.kernel->row_sums();
  return g;
}

void set_density_weights(Generator& g, double alpha) { set_reversible_weights(g, -alpha * g.density.array().log()); }

void set_target_weights(Generator& g, const Vector& log_target) {
  // The maximum first: log pi may be so large that halves of it lose the digits that matter.
  set_reversible_weights(g, 0.5 * (log_target.array() - log_target.maxCoeff()) - g.density.array().log());
}

void set_reversible_weights(Generator& g, Vector log_weights) {
  if (g.bandwidth.size() > 0) {
    log_weights.array() -= 0.5 * double(g.bandwidth_dimension + 2) * g.bandwidth.array().log();
  }
  set_weights(g, std::move(log_weights));
}

}  // namespace itomap
