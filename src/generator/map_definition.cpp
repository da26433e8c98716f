#include "itomap/generator/map_definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 4> method_names{
    {{Method::DiffusionMap, "diffusion_map"},
     {Method::TargetMeasureMap, "target_measure_map"},
     {Method::LocalKernelMap, "local_kernel_map"},
     {Method::BiasedLocalKernelMap, "biased_local_kernel_map"}}};

void check_finite(PointsView values, std::string_view name) {
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index a = 0; a < values.cols(); ++a) {
      if (!std::isfinite(values(i, a))) {
        throw InvalidArgument(fmt::format("{}: row {}, column {} (counted from 0) is {}; remove or mend that row", name,
                                          i, a, values(i, a)));
      }
    }
  }
}

/// Squared distances must be numbers that a double can hold with all their digits.
void check_extent(PointsView points) {
  const double extent = (points.colwise().maxCoeff() - points.colwise().minCoeff()).maxCoeff();
  if (extent > 1e150 || (extent > 0.0 && extent < 1e-140)) {
    throw InvalidArgument(
        fmt::format("points: they spread over {:g}, too much or too little to square; take other units", extent));
  }
}

void check_points(PointsView points) {
  if (points.rows() < 2 || points.cols() < 1) {
    throw InvalidArgument(fmt::format("points: {} x {} given; at least two points of one coordinate are needed",
                                      points.rows(), points.cols()));
  }
  if (points.rows() > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
        fmt::format("points: {} are more than the 2147483647 this version can number", points.rows()));
  }
  check_finite(points, "points");
  check_extent(points);
}

/// A coordinate much larger than its period has no digits left within it.
void check_periods(const std::vector<double>& period, PointsView points) {
  constexpr double coarsest = 1e-3;  // rounding of a coordinate, in periods
  using Limits = std::numeric_limits<double>;
  for (Index a = 0; a < Index(period.size()); ++a) {
    const double length = period[std::size_t(a)];
    const double largest = points.col(a).cwiseAbs().maxCoeff();
    const double shortest = std::max(std::sqrt(Limits::min()), Limits::epsilon() * largest / coarsest);
    if (length > 0.0 && length < shortest) {
      throw InvalidArgument(
          fmt::format("period: {:g} for coordinate {} is too short for the points, where that coordinate reaches {:g}; "
                      "take {:g} or more, or other units",
                      length, a, largest, shortest));
    }
  }
}

void check_rows(PointsView values, Index points, std::string_view name) {
  if (values.rows() != points) {
    throw InvalidArgument(
        fmt::format("{}: {} rows for {} points; one row per point is needed", name, values.rows(), points));
  }
  check_finite(values, name);
}

void check_process(const MapDefinition& d) {
  check_rows(d.drift, d.points.rows(), "drift");
  if (d.drift.cols() != d.points.cols()) {
    throw InvalidArgument(fmt::format("drift: {} columns for points of {} coordinates; one each is needed",
                                      d.drift.cols(), d.points.cols()));
  }
  if (!(d.eta >= 0.0) || !std::isfinite(d.eta)) {
    throw InvalidArgument(
        fmt::format("eta: {:g} is negative or not a number; it is added to the diagonal of A", d.eta));
  }
  if (!d.diffusion) {
    throw InvalidArgument("diffusion: a local kernel map needs one; set MapDefinition::diffusion");
  }
  d.diffusion->validate(d.points.rows(), d.points.cols(), d.eta);
}

}  // namespace

std::string_view to_string(Method method) {
  return std::find_if(method_names.begin(), method_names.end(), [&](const auto& m) { return m.first == method; })
      ->second;
}

Method method_from_string(std::string_view name) {
  for (const auto& [method, known] : method_names) {
    if (name == known) {
      return method;
    }
  }
  throw InvalidArgument(fmt::format(
      "method: '{}' is not one of diffusion_map, target_measure_map, local_kernel_map, biased_local_kernel_map", name));
}

void MapDefinition::validate() const {
  const auto view = points.view();
  check_points(view);
  kernel.validate(std::size_t(view.cols()));
  check_periods(kernel.period, view);
  bandwidth.validate(view.rows(), view.cols());
  epsilon.validate("epsilon");
  density_epsilon.validate("density_epsilon");
  if (!std::isfinite(alpha)) {
    throw InvalidArgument(fmt::format("alpha: {} is not a number; 1/2 and 1 are the usual choices", alpha));
  }
  if (method == Method::TargetMeasureMap) {
    check_rows(log_target, view.rows(), "log_target");
  }
  if (local()) {
    check_process(*this);
  }
}

MapDefinition MapDefinition::subset(const std::vector<Index>& rows) const {
  MapDefinition part = *this;
  part.points = points.subset(rows);
  if (log_target.size() > 0) {
    part.log_target = log_target(rows);
  }
  if (drift.size() > 0) {
    part.drift = drift(rows, Eigen::all);
  }
  if (diffusion) {
    part.diffusion = diffusion->subset(rows);
  }
  return part;
}

}  // namespace itomap
