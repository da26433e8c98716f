#include "itomap/core/point_cloud.hpp"

namespace itomap {

PointCloud::PointCloud(std::shared_ptr<const double> data, Index rows, Index cols)
    : data_(std::move(data)), rows_(rows), cols_(cols) {}

PointCloud::PointCloud(Points points) : rows_(points.rows()), cols_(points.cols()) {
  const auto owner = std::make_shared<const Points>(std::move(points));
  data_ = {owner, owner->data()};
}

}  // namespace itomap
