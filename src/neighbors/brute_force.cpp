#include "neighbors/brute_force.hpp"

#include <algorithm>

#include "neighbors/ranges.hpp"

namespace itomap::detail {
namespace {

constexpr Index run_points = 64;

}  // namespace

BruteForce::BruteForce(PointsView points) : points_(points.rows()) {
  const Index runs = (points_ + run_points - 1) / run_points;
  low_.resize(runs, points.cols());
  high_.resize(runs, points.cols());
  for (Index r = 0; r < runs; ++r) {
    const auto members = points.middleRows(r * run_points, std::min(run_points, points_ - r * run_points));
    low_.row(r) = members.colwise().minCoeff();
    high_.row(r) = members.colwise().maxCoeff();
  }
}

bool BruteForce::within(const double* centre, const Reach& reach, Index run) const {
  constexpr double slack = 1.0 + 1e-12;  // a point on the rim must not be lost to rounding
  const double radius = reach.radius * slack;
  double squared = 0.0;
  for (Index a = 0; a < low_.cols(); ++a) {
    const double gap = std::max({0.0, low_(run, a) - centre[a], centre[a] - high_(run, a)});
    squared += gap * gap;
    if (squared > radius * radius || gap > reach.half_widths[a] * slack) {
      return false;
    }
  }
  return true;
}

void BruteForce::candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const {
  found.clear();
  for (Index r = 0; r < low_.rows(); ++r) {
    if (within(centre, reach, r)) {
      append_range(found, {r * run_points, std::min(points_, (r + 1) * run_points)});
    }
  }
}

}  // namespace itomap::detail
