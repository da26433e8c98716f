#include "generator/local_map.hpp"

#include <utility>

#include "generator/assemble.hpp"
#include "generator/traps.hpp"
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
  const auto points = d.points.view();
  const Vector rho = bandwidth_of(d);
  const auto build = [&](const std::vector<Index>& kept) {
    return make_kernel(
        KernelGeometry::local(kept_rows(points, kept), kept_rows(d.drift, kept), d.diffusion->subset(kept),
                              kept_values(rho, kept), g.epsilon, d.eta, d.kernel),
        d.kernel, search_bytes(Index(kept.size()), 1, false), &g.plan);
  };
  adopt_kernel(g, connected_kernel(g, build));

  auto isotropic = density_geometry(kept_rows(points, g.kept), kept_values(rho, g.kept), g.density_epsilon, d.kernel);
  g.diagnostics.intrinsic_dimension = isotropic.sample().dimension;
  adopt_bandwidth(g, rho);
  g.density = kernel_sums(std::move(isotropic), d.kernel);
  divide_by_volume(g);
  const bool biased = d.method == Method::BiasedLocalKernelMap;
  set_weights(g, biased ? Vector::Zero(g.density.size()) : Vector(-g.density.array().log()));
  if (!d.keep_traps) {
    empty_traps(g);
  }
  return g;
}

}  // namespace itomap::detail
