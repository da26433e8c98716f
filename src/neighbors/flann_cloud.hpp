// Points as nanoflann's kd-tree wants to see them. A heavy header: for the two files that search with it.
#pragma once

#include <nanoflann.hpp>

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct FlannCloud {
  PointsView points;

  std::size_t kdtree_get_point_count() const { return std::size_t(points.rows()); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points(Index(i), Index(axis)); }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

using FlannMetric = nanoflann::L2_Simple_Adaptor<double, FlannCloud, double, std::int32_t>;
using FlannTree = nanoflann::KDTreeSingleIndexAdaptor<FlannMetric, FlannCloud, -1, std::int32_t>;

constexpr std::size_t flann_leaf_points = 16;

}  // namespace itomap::detail
