// Which groups of rows see which groups of points: bounding boxes against the cut-off.
#pragma once

#include "kernel/kernel_geometry.hpp"

namespace itomap::detail {

/// The boxes around groups of `group` consecutive points.
struct Boxes {
  Points low, high;  ///< a row for each group

  Boxes(PointsView points, Index group);
};

/// How far groups of `group` consecutive rows of a kernel reach.
class RowReaches {
 public:
  /// Rows are followed to the cut-off; one that is scaled by exp(log_scale) that much farther. No scales: none.
  RowReaches(const KernelGeometry& geometry, VectorView log_scale, Index group);

  /// True only if all entries of group g of the rows are below the cut-off in group h of the columns.
  bool misses(Index g, const Boxes& columns, Index h) const;

  std::size_t memory() const;

 private:
  Boxes centres_;
  // The exponent is at least sum_a weight_a gap_a^2 and, unless empty, max_a axis_weight_a gap_a^2.
  Points weight_, axis_weight_;
  Vector limit_;
};

}  // namespace itomap::detail
