#include "neighbors/kd_tree.hpp"

#include <nanoflann.hpp>
#include <utility>

#include "neighbors/ranges.hpp"

namespace itomap {
namespace {

/// The view of a point cloud that nanoflann asks for.
struct Cloud {
  PointsView points;

  std::size_t kdtree_get_point_count() const { return std::size_t(points.rows()); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points(Index(i), Index(axis)); }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

using Metric = nanoflann::L2_Simple_Adaptor<double, Cloud, double, std::int32_t>;
using Flann = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud, -1, std::int32_t>;
constexpr std::size_t leaf_points = 16;

}  // namespace

struct KdTree::Tree {
  Cloud cloud;
  Flann index;

  explicit Tree(PointsView points)
      : cloud{points}, index(int(points.cols()), cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leaf_points)) {}
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

}  // namespace itomap
