#include "generator/reversible_map.hpp"

#include <numeric>
#include <utility>

#include "generator/assemble.hpp"
#include "kernel/planner.hpp"
#include "kernel/subset_operator.hpp"
#include "solvers/invariant_subspace.hpp"

namespace itomap::detail {
namespace {

/// d = q^-alpha for the diffusion map, pi^1/2 / q for TMDmap.
Vector log_weights(const Generator& g) {
  const MapDefinition& d = g.definition;
  const auto log_density = g.density.array().log();
  if (d.method == Method::DiffusionMap) {
    return -d.alpha * log_density;
  }
  // The maximum first: log pi may be so large that halves of it lose the digits that matter.
  const Vector log_target = kept_values(d.log_target, g.kept);
  return 0.5 * (log_target.array() - log_target.maxCoeff()) - log_density;
}

/// What a variable bandwidth does to the drift is taken back: d / rho^((d+2)/2).
void set_reversible_weights(Generator& g) {
  Vector weights = log_weights(g);
  if (g.bandwidth.size() > 0) {
    weights.array() -= 0.5 * double(g.bandwidth_dimension + 2) * g.bandwidth.array().log();
  }
  set_weights(g, std::move(weights));
}

}  // namespace

Generator reversible_generator(MapDefinition definition) {
  Generator g = started(std::move(definition));
  const MapDefinition& d = g.definition;
  g.reversible = true;
  g.density_epsilon = g.epsilon;
  const auto points = d.points.view();
  const Vector rho = bandwidth_of(d);
  const auto build = [&](const std::vector<Index>& kept) {
    auto geometry =
        Index(kept.size()) == points.rows()
            ? KernelGeometry::variable(points, rho, g.epsilon, d.kernel)
            : KernelGeometry::variable(kept_rows(points, kept), kept_values(rho, kept), g.epsilon, d.kernel);
    g.diagnostics.intrinsic_dimension = geometry.sample().dimension;
    return make_kernel(std::move(geometry), d.kernel, search_bytes(Index(kept.size()), 1, true), &g.plan);
  };
  adopt_kernel(g, connected_kernel(g, build));
  adopt_bandwidth(g, rho);
  g.density = g.kernel->row_sums();
  divide_by_volume(g);
  set_reversible_weights(g);
  return g;
}

Generator reversible_part(const Generator& whole, MapDefinition part, const std::vector<Index>& points) {
  Generator g = started(std::move(part));
  g.reversible = true;
  g.epsilon = whole.epsilon;
  g.density_epsilon = whole.density_epsilon;
  g.plan = whole.plan;
  g.diagnostics.mean_neighbours = whole.diagnostics.mean_neighbours;
  g.kernel = std::make_shared<const SubsetOperator>(whole.kernel, points);
  g.kept.resize(points.size());
  std::iota(g.kept.begin(), g.kept.end(), Index(0));
  g.density = g.kernel->row_sums();
  set_reversible_weights(g);
  return g;
}

}  // namespace itomap::detail
