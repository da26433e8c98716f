// Distances to the nearest points.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// For each row of `where` the mean of the squared distances to its `count` nearest points; 1 <= count <= points. With
/// periods (0: none along that axis) distances are to the nearest image. Same bits for any number of threads.
Vector mean_squared_distances(PointsView points, PointsView where, Index count, const std::vector<double>& period);

}  // namespace itomap::detail
