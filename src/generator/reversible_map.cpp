#include "generator/reversible_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "generator/assemble.hpp"
#include "generator/bistochastic.hpp"
#include "generator/half_space.hpp"
#include "generator/walls.hpp"
#include "kernel/distance_kernel.hpp"
#include "kernel/planner.hpp"
#include "kernel/subset_operator.hpp"
#include "solvers/invariant_subspace.hpp"

namespace itomap::detail {
namespace {

/// log pi at the points of the map. The maximum first: it may be so large that halves of it lose the digits that
/// matter.
Vector log_target(const Generator& g) {
  const Vector values = kept_values(g.definition.log_target, g.kept);
  return values.array() - values.maxCoeff();
}

/// d = q^-alpha for the diffusion map, pi^1/2 / q for TMDmap. What a variable bandwidth does to the drift is taken
/// back: d / rho^((d+2)/2).
Vector log_weights(const Generator& g) {
  const auto log_density = g.density.array().log();
  Vector weights = g.method() == Method::DiffusionMap ? Vector(-g.definition.alpha * log_density)
                                                      : Vector(0.5 * log_target(g).array() - log_density);
  if (g.bandwidth.size() > 0) {
    weights.array() -= 0.5 * double(g.bandwidth_dimension + 2) * g.bandwidth.array().log();
  }
  return weights;
}

/// The invariant measure on the points: w = q^(1 - 2 alpha) for the diffusion map, pi / q for TMDmap. With a variable
/// bandwidth a chain that moves from each point every time is there rho^-2 times as often.
Vector log_measure(const Generator& g) {
  const auto log_density = g.density.array().log();
  Vector measure = g.method() == Method::DiffusionMap ? Vector((1.0 - 2.0 * g.definition.alpha) * log_density)
                                                      : Vector(log_target(g).array() - log_density);
  if (g.bandwidth.size() > 0) {
    measure.array() -= 2.0 * g.bandwidth.array().log();
  }
  return measure;
}

/// Weights of flat walls, next to those of any others: a start that saves a third of the products.
Vector log_reflecting(const Walls& walls) {
  return walls.nearer.binaryExpr(
      walls.farther, [](double b, double c) { return std::log(reflecting_weight(b) * reflecting_weight(c)); });
}

void set_bistochastic_weights(Generator& g, Vector log_start) {
  Bistochastic found = bistochastic_weights(*g.kernel, log_measure(g), std::move(log_start));
  constexpr double enough = 1e-3;
  if (found.residual > enough) {
    g.diagnostics.warnings.push_back(
        fmt::format("the weights are bistochastic to {:.1g} only: invariant measure and spectrum are off by as much",
                    found.residual));
  }
  set_weights(g, found.log_weights, std::move(found.sums));
}

/// q from what is known of walls; distances know no directions, and none.
void set_wall_density(Generator& g, Walls walls) {
  g.density = walls.volume.cwiseInverse();
  g.diagnostics.wall_points = walls.near();
  g.walls = std::make_shared<const Walls>(std::move(walls));
  divide_by_volume(g);
}

void set_plain_density(Generator& g) {
  g.density = g.kernel->row_sums();
  divide_by_volume(g);
}

/// q, and the weights that follow from it.
void set_density_and_weights(Generator& g) {
  const MapDefinition& d = g.definition;
  const bool bistochastic = d.normalization == Normalization::Bistochastic;
  if (bistochastic && d.distances.empty()) {
    set_wall_density(
        g, find_walls(*g.kernel, kept_rows(d.points.view(), g.kept), d.kernel.period, g.epsilon, g.bandwidth));
  } else {
    set_plain_density(g);
  }
  if (!bistochastic) {
    set_weights(g, log_weights(g));
  } else {
    set_bistochastic_weights(g, g.walls ? Vector(log_weights(g) + log_reflecting(*g.walls)) : log_weights(g));
  }
}

using Kernel = std::shared_ptr<const KernelOperator>;

/// The kernel on the points that are kept; the plan and the dimension become known.
Kernel kernel_of_points(Generator& g, const Vector& rho, const std::vector<Index>& kept) {
  const MapDefinition& d = g.definition;
  const auto points = d.points.view();
  auto geometry = Index(kept.size()) == points.rows()
                      ? KernelGeometry::variable(points, rho, g.epsilon, d.kernel)
                      : KernelGeometry::variable(kept_rows(points, kept), kept_values(rho, kept), g.epsilon, d.kernel);
  g.diagnostics.intrinsic_dimension = geometry.sample().dimension;
  return make_kernel(std::move(geometry), d.kernel, search_bytes(Index(kept.size()), 1, true), &g.plan);
}

/// Likewise; `edge` is what the kernel is where the lists end.
Kernel kernel_of_distances(Generator& g, const Vector& rho, const std::vector<Index>& kept, double& edge) {
  const MapDefinition& d = g.definition;
  const Distances some = Index(kept.size()) == d.size() ? d.distances : d.distances.subset(kept);
  const Vector some_rho = kept_values(rho, kept);
  const DistanceKernel kernel(some, some_rho, g.epsilon, d.kernel);
  g.diagnostics.intrinsic_dimension = kernel.sample().dimension;
  edge = kernel.edge();
  return kernel.stored(search_bytes(Index(kept.size()), 1, true), &g.plan);
}

void warn_of_edge(double edge, Diagnostics& diagnostics) {
  constexpr double negligible = 1e-3;
  if (edge > negligible) {
    diagnostics.warnings.push_back(fmt::format(
        "the lists of distances end where the kernel is still {:.2g} of its maximum (median over the points), "
        "and what is not listed counts as infinitely far; list more neighbours, or take a smaller epsilon",
        edge));
  }
}

}  // namespace

Generator reversible_generator(MapDefinition definition) {
  Generator g = started(std::move(definition));
  const MapDefinition& d = g.definition;
  g.reversible = true;
  g.density_epsilon = g.epsilon;
  const Vector rho = bandwidth_of(d);
  double edge = 0.0;
  const auto build = [&](const std::vector<Index>& kept) {
    return d.distances.empty() ? kernel_of_points(g, rho, kept) : kernel_of_distances(g, rho, kept, edge);
  };
  adopt_kernel(g, connected_kernel(g, build));
  warn_of_edge(edge, g.diagnostics);
  adopt_bandwidth(g, rho);
  set_density_and_weights(g);
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
  if (whole.walls) {
    const auto& d = g.definition;
    set_wall_density(g, find_walls(*g.kernel, d.points.view(), d.kernel.period, g.epsilon, {}, *whole.walls, points));
    set_bistochastic_weights(g, whole.right_weights(points).array().log());
  } else {
    set_density_and_weights(g);
  }
  return g;
}

}  // namespace itomap::detail
