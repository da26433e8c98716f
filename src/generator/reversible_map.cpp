#include "generator/reversible_map.hpp"

#include "generator/assemble.hpp"
#include "itomap/kernel/scale.hpp"
#include "kernel/density.hpp"
#include "kernel/planner.hpp"

namespace itomap {

Generator isotropic_generator(PointsView points, std::optional<double> epsilon, bool drop_isolated,
                              const KernelOptions& options) {
  check_points(points, options);
  Generator g;
  g.epsilon = epsilon ? *epsilon : select_scale(points, options).epsilon;
  check_epsilon(g.epsilon, "epsilon");
  g.density_epsilon = g.epsilon;
  g.reversible = true;
  const auto build = [&](const std::vector<Index>& kept) {
    auto geometry = KernelGeometry::isotropic(kept_rows(points, kept), g.epsilon, options);
    g.diagnostics.intrinsic_dimension = intrinsic_dimension(geometry);
    return make_kernel(std::move(geometry), options, &g.plan);
  };
  adopt_kernel(g, connected_kernel(points.rows(), points.cols(), drop_isolated, build), points.rows(), options);
  g.density = g.kernel->row_sums();
  return g;
}

}  // namespace itomap
