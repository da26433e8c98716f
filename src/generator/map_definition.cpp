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

template <class Enum, std::size_t count>
using Names = std::array<std::pair<Enum, std::string_view>, count>;

constexpr Names<Method, 4> method_names{{{Method::DiffusionMap, "diffusion_map"},
                                         {Method::TargetMeasureMap, "target_measure_map"},
                                         {Method::LocalKernelMap, "local_kernel_map"},
                                         {Method::BiasedLocalKernelMap, "biased_local_kernel_map"}}};
constexpr Names<Normalization, 2> normalization_names{
    {{Normalization::Paper, "paper"}, {Normalization::Bistochastic, "bistochastic"}}};
constexpr Names<Step, 2> step_names{{{Step::Euler, "euler"}, {Step::Heun, "heun"}}};

template <class Enum, std::size_t count>
std::string_view name_of(const Names<Enum, count>& names, Enum value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.first == value; })->second;
}

template <class Enum, std::size_t count>
Enum value_of(const Names<Enum, count>& names, std::string_view name, std::string_view what) {
  std::string choices;
  for (const auto& [value, known] : names) {
    if (name == known) {
      return value;
    }
    choices += choices.empty() ? known : fmt::format(", {}", known);
  }
  throw InvalidArgument(fmt::format("{}: '{}' is not one of {}", what, name, choices));
}

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

/// Distances know no directions, and so neither drift nor period.
void check_distances(const MapDefinition& d) {
  if (d.points.rows() > 0) {
    throw InvalidArgument("distances: points are given as well; give one or the other");
  }
  if (d.local()) {
    throw InvalidArgument("distances: a local kernel map needs points, for drift and diffusion have directions");
  }
  if (!d.kernel.period.empty()) {
    throw InvalidArgument("period: distances have no coordinates that could come back; let them go around the period");
  }
  if (d.kernel.engine != Engine::Auto && d.kernel.engine != Engine::Sparse) {
    throw InvalidArgument(
        fmt::format("engine: {} needs points; with distances take auto or sparse", to_string(d.kernel.engine)));
  }
  d.distances.validate_symmetric();
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

std::string_view to_string(Method method) { return name_of(method_names, method); }
std::string_view to_string(Normalization normalization) { return name_of(normalization_names, normalization); }
std::string_view to_string(Step step) { return name_of(step_names, step); }

Method method_from_string(std::string_view name) { return value_of(method_names, name, "method"); }
Normalization normalization_from_string(std::string_view name) {
  return value_of(normalization_names, name, "normalization");
}
Step step_from_string(std::string_view name) { return value_of(step_names, name, "step"); }

void MapDefinition::validate() const {
  if (distances.empty()) {
    check_points(points.view());
    check_periods(kernel.period, points.view());
  } else {
    check_distances(*this);
  }
  kernel.validate(std::size_t(dimension()));
  bandwidth.validate(size(), most_dimensions());
  epsilon.validate("epsilon");
  density_epsilon.validate("density_epsilon");
  if (!std::isfinite(alpha)) {
    throw InvalidArgument(fmt::format("alpha: {} is not a number; 1/2 and 1 are the usual choices", alpha));
  }
  if (method == Method::TargetMeasureMap) {
    check_rows(log_target, size(), "log_target");
  }
  if (local()) {
    check_process(*this);
  }
  if (method == Method::BiasedLocalKernelMap && normalization == Normalization::Bistochastic) {
    throw InvalidArgument(
        "normalization: the biased kernel corrects neither density nor walls; take the paper's, or no biased kernel");
  }
}

MapDefinition MapDefinition::subset(const std::vector<Index>& rows) const {
  MapDefinition part = *this;
  if (distances.empty()) {
    part.points = points.subset(rows);
  } else {
    part.distances = distances.subset(rows);
  }
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
