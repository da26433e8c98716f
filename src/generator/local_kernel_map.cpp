#include "itomap/generator/local_kernel_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "generator/assemble.hpp"
#include "generator/traps.hpp"
#include "itomap/core/error.hpp"
#include "itomap/kernel/scale.hpp"
#include "kernel/planner.hpp"

namespace itomap {
namespace {

void check_input(PointsView points, PointsView drift, const Diffusion& diffusion,
                 const LocalKernelMapOptions& options) {
  check_points(points, options.kernel);
  check_values(drift, points.rows(), "drift");
  if (drift.cols() != points.cols()) {
    throw InvalidArgument(
        fmt::format("drift: {} columns for points of {} coordinates; one each is needed", drift.cols(), points.cols()));
  }
  if (!(options.eta >= 0.0) || !std::isfinite(options.eta)) {
    throw InvalidArgument(
        fmt::format("eta: {:g} is negative or not a number; it is added to the diagonal of A", options.eta));
  }
  diffusion.validate(points.rows(), points.cols(), options.eta);
  options.bandwidth.validate(points.rows(), points.cols());
}

/// The kernel of the density estimate, as wide at each point as its bandwidth says.
KernelGeometry density_geometry(const Points& points, const Vector& rho, double epsilon, const KernelOptions& options) {
  if (rho.size() == 0) {
    return KernelGeometry::isotropic(points, epsilon, options);
  }
  return KernelGeometry::local(points, Points::Zero(points.rows(), points.cols()), Diffusion::scalars(rho.cwiseAbs2()),
                               epsilon, 0.0, options);
}

}  // namespace

Generator local_kernel_map(PointsView points, PointsView drift, const Diffusion& diffusion,
                           const LocalKernelMapOptions& options) {
  check_input(points, drift, diffusion, options);
  const Index n = points.cols();
  Generator g;
  g.method = options.biased ? Method::BiasedLocalKernelMap : Method::LocalKernelMap;
  g.reversible = false;
  // epsilon is a time, the density's scale a squared length: the spread of A, a squared length per time, converts.
  const double spread = median_spread(diffusion, points.rows(), n, options.eta);
  g.epsilon = options.epsilon ? *options.epsilon : select_scale(points, options.kernel).epsilon / spread;
  g.density_epsilon = options.density_epsilon ? *options.density_epsilon : g.epsilon * spread;
  check_epsilon(g.epsilon, "epsilon");
  check_epsilon(g.density_epsilon, "density_epsilon");

  const Vector rho = bandwidth_of(points, options.bandwidth, options.kernel);
  const auto build = [&](const std::vector<Index>& kept) {
    return make_kernel(KernelGeometry::local(kept_rows(points, kept), kept_rows(drift, kept), diffusion.subset(kept),
                                             kept_values(rho, kept), g.epsilon, options.eta, options.kernel),
                       options.kernel, &g.plan);
  };
  adopt_kernel(g, connected_kernel(points.rows(), n, options.drop_isolated, build), points.rows(), options.kernel);

  auto isotropic =
      density_geometry(kept_rows(points, g.kept), kept_values(rho, g.kept), g.density_epsilon, options.kernel);
  g.diagnostics.intrinsic_dimension = isotropic.sample().dimension;
  adopt_bandwidth(g, rho, options.bandwidth, n);
  g.density = kernel_sums(std::move(isotropic), options.kernel);
  divide_by_volume(g);
  set_weights(g, options.biased ? Vector::Zero(g.density.size()) : Vector(-g.density.array().log()));
  if (!options.keep_traps) {
    empty_traps(g);
  }
  return g;
}

}  // namespace itomap
