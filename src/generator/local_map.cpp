#include "generator/local_map.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "generator/assemble.hpp"
#include "generator/half_space.hpp"
#include "generator/traps.hpp"
#include "generator/walls.hpp"
#include "kernel/planner.hpp"
#include "solvers/invariant_subspace.hpp"

namespace itomap::detail {
namespace {

/// The kernel of the density estimate, as wide at each point as its bandwidth says.
KernelGeometry density_geometry(const Points& points, const Vector& rho, double epsilon, const KernelOptions& options) {
  if (rho.size() == 0) {
    return KernelGeometry::isotropic(points, epsilon, options);
  }
  return KernelGeometry::local(points, Points::Zero(points.rows(), points.cols()), Diffusion::scalars(rho.cwiseAbs2()),
                               epsilon, 0.0, options);
}

/// s, by how much weights at walls are larger so that the process is reflected. Walls are read off the kernel of the
/// density; that of the process may be wider or narrower, and not the same in all directions.
Vector log_reflecting_weights(const Generator& g, const Walls& walls) {
  const MapDefinition& d = g.definition;
  const Index n = d.dimension();
  Vector weights(walls.nearer.size());
  for (Index i = 0; i < weights.size(); ++i) {
    const Vector normal = walls.direction.row(i).transpose();
    const double variance = normal.dot(d.diffusion->at(g.kept[std::size_t(i)], n) * normal) + d.eta;
    const double scale = variance > 0.0 ? std::sqrt(g.density_epsilon / (g.epsilon * variance)) : 1.0;
    weights[i] = std::log(reflecting_weight(scale * walls.nearer[i]) * reflecting_weight(scale * walls.farther[i]));
  }
  return weights;
}

/// q, and d = 1 / q, times s where the process shall be reflected.
void set_density_and_weights(Generator& g, const Vector& rho) {
  const MapDefinition& d = g.definition;
  const Points points = kept_rows(d.points.view(), g.kept);
  auto isotropic = density_geometry(points, kept_values(rho, g.kept), g.density_epsilon, d.kernel);
  g.diagnostics.intrinsic_dimension = isotropic.sample().dimension;
  adopt_bandwidth(g, rho);
  KernelOptions density_options = d.kernel;
  if (g.plan.engine == Engine::Landmarks) {
    density_options.engine = Engine::Landmarks;  // where that was the only one for the kernel, it is for the density
  }
  Vector log_reflecting = Vector::Zero(points.rows());
  if (d.normalization == Normalization::Bistochastic) {
    const auto kernel = make_kernel(std::move(isotropic), density_options, double(g.kernel->memory()));
    const Walls walls = find_walls(*kernel, points, d.kernel.period, g.density_epsilon, g.bandwidth);
    g.density = walls.volume.cwiseInverse();
    g.diagnostics.wall_points = walls.near();
    log_reflecting = log_reflecting_weights(g, walls);
  } else {
    g.density = kernel_sums(std::move(isotropic), density_options);
  }
  divide_by_volume(g);
  const bool biased = d.method == Method::BiasedLocalKernelMap;
  set_weights(g, biased ? log_reflecting : Vector(log_reflecting.array() - g.density.array().log()));
}

/// (b + P b) / 2 with the P of Euler steps: half a step further the drift is that of where the process then is, on
/// average. Points that are not in that map keep theirs.
Points heun_drift(const MapDefinition& definition) {
  MapDefinition euler = definition;
  euler.step = Step::Euler;
  const Generator g = local_generator(std::move(euler));
  Points drift = definition.drift;
  const Points kept = kept_rows(drift, g.kept);
  drift(g.kept, Eigen::all) = 0.5 * (kept + g.moved(kept));
  return drift;
}

}  // namespace

double matched_density_epsilon(const MapDefinition& d, double epsilon) {
  return epsilon * median_spread(*d.diffusion, d.points.rows(), d.points.cols(), d.eta);
}

Generator local_generator(MapDefinition definition) {
  Generator g = started(std::move(definition));
  const MapDefinition& d = g.definition;
  g.reversible = false;
  g.density_epsilon = d.density_epsilon.is_value() ? d.density_epsilon.value() : matched_density_epsilon(d, g.epsilon);
  g.definition.density_epsilon = g.density_epsilon;
  const Points drift = d.step == Step::Heun ? heun_drift(d) : d.drift;
  const Vector rho = bandwidth_of(d);
  const auto build = [&](const std::vector<Index>& kept) {
    return make_kernel(
        KernelGeometry::local(kept_rows(d.points.view(), kept), kept_rows(drift, kept), d.diffusion->subset(kept),
                              kept_values(rho, kept), g.epsilon, d.eta, d.kernel),
        d.kernel, search_bytes(Index(kept.size()), 1, false), &g.plan);
  };
  adopt_kernel(g, connected_kernel(g, build));
  if (d.step == Step::Heun) {
    g.step_drift = kept_rows(drift, g.kept);
  }
  set_density_and_weights(g, rho);
  if (!d.keep_traps) {
    empty_traps(g);
  }
  return g;
}

}  // namespace itomap::detail
