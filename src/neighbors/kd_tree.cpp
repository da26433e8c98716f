#include "neighbors/kd_tree.hpp"

#include <utility>

#include "neighbors/flann_cloud.hpp"
#include "neighbors/ranges.hpp"

namespace itomap::detail {
struct KdTree::Tree {
  FlannCloud cloud;
  FlannTree index;

  explicit Tree(PointsView points)
      : cloud{points}, index(int(points.cols()), cloud, nanoflann::KDTreeSingleIndexAdaptorParams(flann_leaf_points)) {}
};

KdTree::KdTree(PointsView points) : tree_(std::make_unique<Tree>(points)) {}
KdTree::~KdTree() = default;

void KdTree::candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const {
  std::vector<std::pair<std::int32_t, double>> hits;
  const double radius = reach.radius * (1.0 + 1e-12);  // a point on the rim must not be lost to rounding
  nanoflann::SearchParams unsorted;
  unsorted.sorted = false;
  tree_->index.radiusSearch(centre, radius * radius, hits, unsorted);
  found.clear();
  found.reserve(hits.size());
  for (const auto& [i, squared_distance] : hits) {
    found.push_back({i, i + 1});
  }
  sort_ranges(found);
}

}  // namespace itomap::detail
