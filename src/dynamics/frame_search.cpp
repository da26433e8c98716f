#include "dynamics/frame_search.hpp"

#include <cmath>

namespace itomap {
namespace {

/// Cells and trees lose their edge as the dimension grows; see neighbors/. Which one is taken never shows in a result.
SearchMethod method_for(Index dimension, double typical) {
  constexpr Index most_for_cells = 3, most_for_tree = 8;
  if (!std::isfinite(typical) || typical <= 0.0 || dimension > most_for_tree) return SearchMethod::BruteForce;
  return dimension <= most_for_cells ? SearchMethod::CellGrid : SearchMethod::KdTree;
}

}  // namespace

FrameSearch::FrameSearch(PointsView frames, double typical)
    : frames_(frames), search_(make_search(frames_, method_for(frames.cols(), typical), typical)) {}

void FrameSearch::within(const double* centre, double radius, std::vector<NearFrame>& found) const {
  const Index n = frames_.cols();
  const Vector half_widths = Vector::Constant(n, radius);
  const Eigen::Map<const Eigen::RowVectorXd> x(centre, n);
  std::vector<IndexRange> candidates{{0, frames_.rows()}};
  if (std::isfinite(radius)) search_->candidates(centre, {half_widths.data(), radius}, candidates);
  found.clear();
  for (const IndexRange range : candidates) {
    for (Index k = range.begin; k < range.end; ++k) {
      const double squared = (frames_.row(k) - x).squaredNorm();
      if (squared <= radius * radius) found.push_back({squared, k});
    }
  }
}

}  // namespace itomap
