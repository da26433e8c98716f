#include "generator/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/context.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

/// exp(-600): squares and ratios of weights stay clear of the smallest double.
constexpr double smallest_log_weight = -600.0;

/// The points that see somebody, as positions in the present kernel.
std::vector<Index> connected_points(const KernelGraph& graph, Index dimension) {
  std::vector<Index> members(std::size_t(graph.components), 0);
  for (const Index c : graph.component) {
    ++members[c];
  }
  std::vector<Index> connected;
  for (Index i = 0; i < Index(graph.component.size()); ++i) {
    const bool isolated = std::binary_search(graph.isolated.begin(), graph.isolated.end(), i);
    if (!isolated && members[graph.component[i]] > dimension) {
      connected.push_back(i);
    }
  }
  return connected;
}

std::vector<Index> user_numbers(const std::vector<Index>& points, const std::vector<Index>& kept) {
  std::vector<Index> numbers;
  for (const Index i : points) {
    numbers.push_back(kept[i]);
  }
  return numbers;
}

constexpr std::string_view unread_functions =
    "have so little weight that products by the grid engine say nothing about them: eigenvalues are not affected, but "
    "do "
    "not read functions there";

/// Rows that every product must compute from their own entries, as long as that costs no more than a few products.
void keep_small_rows(Generator& generator, std::vector<Index> rows) {
  constexpr double most_entries = 2e8;
  generator.small_rows.clear();
  if (double(rows.size()) * generator.diagnostics.mean_neighbours <= most_entries) {
    generator.small_rows = std::move(rows);
    return;
  }
  std::erase_if(generator.diagnostics.warnings, [](const std::string& w) { return w.ends_with(unread_functions); });
  generator.diagnostics.warnings.push_back(fmt::format("{} point(s) {}", rows.size(), unread_functions));
}

void adopt_row_sums(Generator& generator, AccurateProduct sums) {
  generator.row_sums = std::move(sums.values);
  if (generator.pace.size() > 0) {
    generator.row_sums = (generator.pace.array() > 0.0).select(generator.row_sums, 1.0);  // no step, nothing to divide
  }
  keep_small_rows(generator, std::move(sums.small));
  if (!generator.row_sums.allFinite() || generator.row_sums.minCoeff() <= 0.0) {
    throw NumericalError("a row of the kernel sums to zero or overflows; raise epsilon");
  }
}

}  // namespace

Generator started(MapDefinition definition) {
  Generator g;
  g.definition = std::move(definition);
  g.execution = current_execution();
  g.epsilon = g.definition.epsilon.value();
  return g;
}

std::string list_points(const std::vector<Index>& points, const std::vector<Index>& kept) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, points.size()); ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : ", ", kept[std::size_t(points[k])]);
  }
  return points.size() > shown ? text + ", ..." : text;
}

ConnectedKernel connected_kernel(const Generator& generator, const KernelBuilder& build) {
  ConnectedKernel result;
  result.kept.resize(std::size_t(generator.input_points()));
  std::iota(result.kept.begin(), result.kept.end(), Index(0));
  while (true) {
    result.kernel = build(result.kept);
    result.graph = result.kernel->graph();
    if (!generator.definition.drop_isolated) {
      return result;
    }
    const auto connected = connected_points(result.graph, generator.dimension());
    if (connected.size() == result.kept.size()) {
      return result;
    }
    if (connected.size() < 2) {
      throw InvalidArgument(
          "epsilon: no point has a neighbour within the cut-off, so all would be dropped; raise epsilon");
    }
    result.kept = user_numbers(connected, result.kept);
  }
}

Vector kept_values(const Vector& values, const std::vector<Index>& kept) {
  return values.size() == 0 || Index(kept.size()) == values.size() ? values : Vector(values(kept));
}

Points kept_rows(PointsView values, const std::vector<Index>& kept) {
  return Index(kept.size()) == values.rows() ? Points(values) : Points(values(kept, Eigen::all));
}

void adopt_kernel(Generator& generator, ConnectedKernel connected) {
  const KernelGraph& graph = connected.graph;
  Diagnostics& d = generator.diagnostics;
  d.components = graph.components;
  d.isolated_points = Index(graph.isolated.size());
  d.stranded_points = Index(graph.stranded.size());
  d.dropped_points = generator.input_points() - Index(connected.kept.size());
  d.mean_neighbours = graph.mean_neighbours;
  if (d.isolated_points > 0) {
    d.warnings.push_back(
        fmt::format("{} isolated point(s) without a neighbour within the cut-off (rows {}): each adds a spurious mode; "
                    "raise epsilon or "
                    "drop isolated points",
                    d.isolated_points, list_points(graph.isolated, connected.kept)));
  }
  if (d.stranded_points > 0) {
    d.warnings.push_back(
        fmt::format("{} point(s) whose Euler step x + epsilon b leaves the data (rows {}): they jump to the nearest "
                    "points; check the "
                    "units of the drift, or change epsilon",
                    d.stranded_points, list_points(graph.stranded, connected.kept)));
  }
  if (d.components > 1) {
    d.warnings.push_back(fmt::format(
        "the data falls into {} disconnected components, so the eigenvalue 0 occurs {} times; raise epsilon if "
        "they should be one",
        d.components, d.components));
  }
  warn_of_landmarks(generator.plan, generator.definition.kernel, d);
  if (d.dropped_points > 0) {
    d.warnings.push_back(fmt::format("{} isolated point(s) were left out; their entries are NaN", d.dropped_points));
  }
  generator.component = std::move(connected.graph.component);
  generator.plan.bytes = connected.kernel->memory();
  generator.kernel = std::move(connected.kernel);
  generator.kept = std::move(connected.kept);
}

void warn_of_landmarks(const KernelPlan& plan, const KernelOptions& options, Diagnostics& diagnostics) {
  if (plan.step_error > options.landmark_error) {
    diagnostics.warnings.push_back(
        fmt::format("the kernel between {} landmarks is off by {:.2g} % in mean squared steps, more than the {:.2g} % "
                    "asked for: rates are off by about half as much; take more landmarks, or a larger epsilon",
                    plan.landmarks, 100.0 * plan.step_error, 100.0 * options.landmark_error));
  }
}

Vector bandwidth_of(const MapDefinition& d) {
  if (d.bandwidth.fixed()) {
    return {};
  }
  if (!d.distances.empty()) {
    return variable_bandwidth(d.distances, d.distances, d.bandwidth);
  }
  const auto points = d.points.view();
  return variable_bandwidth(points, points, d.bandwidth, d.kernel);
}

void adopt_bandwidth(Generator& generator, const Vector& rho) {
  if (rho.size() == 0) {
    return;
  }
  generator.bandwidth = kept_values(rho, generator.kept);
  generator.pace = (generator.bandwidth.minCoeff() / generator.bandwidth.array()).square();
  generator.bandwidth_dimension = generator.definition.bandwidth.dimension_or(generator.diagnostics.intrinsic_dimension,
                                                                              generator.definition.most_dimensions());
}

void divide_by_volume(Generator& generator) {
  if (generator.bandwidth.size() > 0) {
    generator.density.array() /= generator.bandwidth.array().pow(double(generator.bandwidth_dimension));
  }
}

void set_weights(Generator& generator, Vector log_weights) {
  log_weights.array() -= log_weights.maxCoeff();
  const Index underflow = (log_weights.array() < smallest_log_weight).count();
  generator.right_weights = log_weights.cwiseMax(smallest_log_weight).array().exp();
  generator.diagnostics.underflow_points = underflow;
  if (underflow > 0) {
    generator.diagnostics.warnings.push_back(fmt::format(
        "the weight of {} point(s) is too small for double precision (a target density below e^-1200 of its "
        "maximum, or a large alpha) and was raised to e^-600: values there are not to be trusted",
        underflow));
  }
  set_row_sums(generator);
}

void set_weights(Generator& generator, const Vector& log_weights, AccurateProduct sums) {
  generator.right_weights = log_weights.array().exp();
  adopt_row_sums(generator, std::move(sums));
}

void set_row_sums(Generator& generator) {
  adopt_row_sums(generator, accurate_product(*generator.kernel, generator.right_weights));
}

}  // namespace itomap::detail
