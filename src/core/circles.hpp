// Periodic coordinates as places on circles, where distances need no images.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// A coordinate with a period becomes two, on a circle of that circumference; others stay. Empty: none has a period.
inline Points on_circles(PointsView points, const std::vector<double>& period) {
  Points places(points.rows(), 0);
  const auto append = [&](const Vector& column) {
    places.conservativeResize(Eigen::NoChange, places.cols() + 1);
    places.rightCols(1) = column;
  };
  for (Index a = 0; a < points.cols(); ++a) {
    const double length = period.empty() ? 0.0 : period[std::size_t(a)];
    if (length > 0.0) {
      const double radius = length / (2.0 * std::numbers::pi);
      append((points.col(a).array() / radius).cos() * radius);
      append((points.col(a).array() / radius).sin() * radius);
    } else {
      append(points.col(a));
    }
  }
  return places;
}

}  // namespace itomap::detail
