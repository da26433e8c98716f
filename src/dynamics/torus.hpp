// Coordinates that come back to where they began: angles, positions in a periodic box.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

class Torus {
 public:
  /// One length for each coordinate, 0 where it does not come back; none at all for flat space, which has any
  /// dimension.
  explicit Torus(std::vector<double> period);

  bool flat() const { return flat_; }
  /// 0 where the coordinate does not come back.
  double period(Index axis) const { return flat_ ? 0.0 : period_[std::size_t(axis)]; }

  /// Of all images of a difference of two points, the shortest.
  void shorten(double* difference) const;
  /// Between the nearest images of two points; not for flat space.
  double squared_distance(const double* x, const double* y) const;
  /// The image of each point in [0, period).
  void fold(Points& points) const;

 private:
  std::vector<double> period_;
  bool flat_;
};

}  // namespace itomap::detail
