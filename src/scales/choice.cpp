#include "scales/choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/context.hpp"
#include "generator/generator.hpp"
#include "generator/local_map.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "kernel/distance_kernel.hpp"

namespace itomap::detail {
namespace {

double steepest(const MapDefinition& d) { return steepest_scale(d).epsilon; }

/// The density scale of a local map at an epsilon that is known.
double density_scale(const MapDefinition& d, double epsilon) {
  return d.density_epsilon.is_value()      ? d.density_epsilon.value()
         : d.density_epsilon.is_steepest() ? steepest(d)
                                           : matched_density_epsilon(d, epsilon);
}

std::string warning_for(double error) {
  constexpr double tolerable = 0.5;
  return error > tolerable
             ? fmt::format(
                   "epsilon auto: the best scale still has an estimated error of {:.0f} % in the leading time "
                   "scales; look at a scan of scales, or give epsilon",
                   100.0 * error)
             : "";
}

ScaleChoice balanced(const MapDefinition& d, const Ranks* ranks) {
  MapDefinition scannable = d;
  if (d.local() && d.density_epsilon.is_steepest()) {
    scannable.density_epsilon = steepest(d);
  }
  const auto kept = std::make_shared<const ScaleScan>(scanned(scannable, {.ranks = ranks}));
  const ScaleScan& scan = *kept;
  const double density = !d.local()             ? scan.epsilon
                         : scan.density_epsilon ? *scan.density_epsilon
                                                : density_scale(scannable, scan.epsilon);
  return {scan.epsilon, density, scan.bandwidth_dimension, scan.reason, warning_for(scan.error), kept};
}

}  // namespace

ScaleSelection steepest_scale(const MapDefinition& d) {
  if (d.distances.empty()) {
    return select_scale(d.points.view(), d.kernel, current_execution());
  }
  ScaleSelection selection = select_scale(d.distances, d.kernel, current_execution());
  selection.epsilon = std::min(selection.epsilon, widest_listed_scale(d.distances));
  return selection;
}

ScaleChoice choose_scales(const MapDefinition& d, const Ranks* ranks) {
  if (d.epsilon.is_balanced()) {
    return balanced(d, ranks);
  }
  ScaleChoice choice{.bandwidth_dimension = d.bandwidth.dimension};
  if (d.epsilon.is_value()) {
    choice.epsilon = d.epsilon;
  } else {
    const double unit = d.local() ? matched_density_epsilon(d, 1.0) : 1.0;
    choice.epsilon = steepest(d) / unit;
    choice.reason = "steepest growth of the kernel sum";
  }
  choice.density_epsilon = d.local() ? density_scale(d, choice.epsilon.value()) : choice.epsilon.value();
  choice.density_epsilon.validate("density_epsilon");
  return choice;
}

}  // namespace itomap::detail

const itomap::ScaleScan* itomap::scan_of(const Map& map) { return detail::generator_of(map).scan.get(); }
