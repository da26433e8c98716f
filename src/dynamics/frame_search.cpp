#include "dynamics/frame_search.hpp"

#include <algorithm>
#include <cmath>

namespace itomap::detail {
namespace {

/// Cells and trees lose their edge as the dimension grows; see neighbors/. Which one is taken never shows in a result.
SearchMethod method_for(Index dimension, double typical) {
  constexpr Index most_for_cells = 3, most_for_tree = 8;
  if (!std::isfinite(typical) || typical <= 0.0 || dimension > most_for_tree) {
    return SearchMethod::BruteForce;
  }
  return dimension <= most_for_cells ? SearchMethod::CellGrid : SearchMethod::KdTree;
}

/// A wide ball meets a frame from several sides.
void keep_each_once(std::vector<NearFrame>& found) {
  std::sort(found.begin(), found.end(), [](const NearFrame& a, const NearFrame& b) { return a.frame < b.frame; });
  found.erase(std::unique(found.begin(), found.end(),
                          [](const NearFrame& a, const NearFrame& b) { return a.frame == b.frame; }),
              found.end());
}

}  // namespace

FrameSearch::FrameSearch(PointsView frames, double typical, const Torus& torus)
    : frames_(frames), torus_(torus), search_(make_search(frames_, method_for(frames.cols(), typical), typical)) {}

Points FrameSearch::images(const double* centre, double radius) const {
  constexpr Index most = 64;  // beyond, looking at all frames once is as fast
  Points all = Eigen::Map<const Eigen::RowVectorXd>(centre, frames_.cols());
  torus_.fold(all);
  for (Index a = 0; a < frames_.cols(); ++a) {
    const double period = torus_.period(a);
    if (period == 0.0) {
      continue;
    }
    const double x = all(0, a);
    // A ball that reaches over the end of the period comes in again at its beginning.
    std::vector<double> shifts{0.0};
    if (x - radius <= 0.0) {
      shifts.push_back(period);
    }
    if (x + radius >= period) {
      shifts.push_back(-period);
    }
    if (all.rows() * Index(shifts.size()) > most) {
      return {};
    }
    const Points before = all;
    all = before.replicate(Index(shifts.size()), 1);
    for (std::size_t s = 0; s < shifts.size(); ++s) {
      all.block(Index(s) * before.rows(), a, before.rows(), 1).array() += shifts[s];
    }
  }
  return all;
}

void FrameSearch::append_within(const double* centre, double radius, IndexRange range,
                                std::vector<NearFrame>& found) const {
  const Eigen::Map<const Eigen::RowVectorXd> x(centre, frames_.cols());
  for (Index k = range.begin; k < range.end; ++k) {
    const double squared =
        torus_.flat() ? (frames_.row(k) - x).squaredNorm() : torus_.squared_distance(frames_.row(k).data(), centre);
    if (squared <= radius * radius) {
      found.push_back({squared, k});
    }
  }
}

void FrameSearch::within(const double* centre, double radius, std::vector<NearFrame>& found) const {
  found.clear();
  const Points everywhere = std::isfinite(radius) ? images(centre, radius) : Points();
  if (everywhere.rows() == 0) {
    append_within(centre, radius, {0, frames_.rows()}, found);
    return;
  }
  const Vector half_widths = Vector::Constant(frames_.cols(), radius);
  std::vector<IndexRange> candidates;
  for (Index i = 0; i < everywhere.rows(); ++i) {
    search_->candidates(everywhere.row(i).data(), {half_widths.data(), radius}, candidates);
    for (const IndexRange range : candidates) {
      append_within(centre, radius, range, found);
    }
  }
  if (everywhere.rows() > 1) {
    keep_each_once(found);
  }
}

}  // namespace itomap::detail
