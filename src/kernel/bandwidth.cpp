#include "itomap/kernel/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "itomap/core/error.hpp"
#include "neighbors/nearest.hpp"

namespace itomap {
using namespace detail;
namespace {

Index neighbours_of(const VariableBandwidth& bandwidth, Index points) {
  constexpr Index least = 8;
  const auto root = Index(std::ceil(std::sqrt(double(points))));
  return std::min(points, bandwidth.neighbours > 0 ? bandwidth.neighbours : std::max(least, root));
}

/// strength log r, from the means of the squared distances to the nearest points.
Vector log_bandwidth(const Vector& squares, const VariableBandwidth& bandwidth, Index count) {
  Index closest = 0;
  if (!(squares.minCoeff(&closest) > 0.0)) {
    throw InvalidArgument(fmt::format(
        "bandwidth: point {} coincides with its {} nearest points; raise the number of neighbours, or remove "
        "duplicates",
        closest, count));
  }
  return 0.5 * bandwidth.strength * squares.array().log();
}

Vector log_bandwidth(PointsView points, PointsView where, const VariableBandwidth& bandwidth,
                     const KernelOptions& options) {
  const Index count = neighbours_of(bandwidth, points.rows());
  return log_bandwidth(mean_squared_distances(points, where, count, options.period), bandwidth, count);
}

Vector log_bandwidth(const Distances& where, const VariableBandwidth& bandwidth) {
  const Index count = neighbours_of(bandwidth, where.cols());
  Vector squares(where.rows());
  std::vector<double> row;
  for (Index i = 0; i < where.rows(); ++i) {
    row.clear();
    where.for_row(i, [&](Index, double d) { row.push_back(d * d); });
    if (Index(row.size()) < count) {
      throw InvalidArgument(fmt::format(
          "bandwidth: {} distances are known in row {}, but {} nearest points count; list more, or lower the "
          "number of neighbours",
          row.size(), i, count));
    }
    std::nth_element(row.begin(), row.begin() + (count - 1), row.end());
    std::sort(row.begin(), row.begin() + count);  // a sum in an order of its own
    squares[i] = std::accumulate(row.begin(), row.begin() + count, 0.0) / double(count);
  }
  return log_bandwidth(squares, bandwidth, count);
}

}  // namespace

void VariableBandwidth::validate(Index points, Index space_dimension) const {
  if (!(strength >= 0.0 && strength <= 1.0)) {
    throw InvalidArgument(fmt::format(
        "bandwidth: a strength of {:g} is not between 0 (the same width everywhere) and 1 (the same number of "
        "neighbours everywhere)",
        strength));
  }
  if (neighbours < 0 || neighbours == 1 || neighbours > points) {
    throw InvalidArgument(
        fmt::format("bandwidth: {} neighbours of {} points; give a number from 2 on, or 0 for its square root",
                    neighbours, points));
  }
  if (dimension < 0 || dimension > space_dimension) {
    throw InvalidArgument(fmt::format(
        "bandwidth: a manifold of {} dimensions does not fit into {} coordinates; give d, or 0 to estimate it",
        dimension, space_dimension));
  }
}

Index VariableBandwidth::dimension_or(double estimate, Index space_dimension) const {
  return dimension > 0 ? dimension : std::clamp<Index>(Index(std::lround(estimate)), 1, space_dimension);
}

Vector variable_bandwidth(PointsView points, PointsView where, const VariableBandwidth& bandwidth,
                          const KernelOptions& options) {
  const Vector unit = log_bandwidth(points, points, bandwidth, options);
  const bool same = points.data() == where.data() && points.rows() == where.rows();
  const Vector log_rho = same ? unit : log_bandwidth(points, where, bandwidth, options);
  return (log_rho.array() - unit.mean()).exp();
}

Vector variable_bandwidth(const Distances& points, const Distances& where, const VariableBandwidth& bandwidth) {
  const double unit = log_bandwidth(points, bandwidth).mean();
  return (log_bandwidth(where, bandwidth).array() - unit).exp();
}

}  // namespace itomap
