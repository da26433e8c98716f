// The fast Gauss transform:  y_i = sum_j exp(-|t_i - s_j|^2) x_j  in time proportional to the number of points.
//
// Sources are spread to a regular grid, the grid is filtered in Fourier space, and the targets gather from it. The
// error of every kernel value is below the accuracy of the grid, relative to the largest value, 1; it is the same for
// (i, j) and (j, i). Four vectors travel together.
#pragma once

#include <memory>

#include "itomap/core/types.hpp"
#include "kernel/grid/slab_cloud.hpp"

namespace itomap::detail {

class GaussTransform {
 public:
  /// Sources and targets may be the same object.
  GaussTransform(GaussGrid grid, std::shared_ptr<const SlabCloud> sources, std::shared_ptr<const SlabCloud> targets);

  /// Sets y at the targets' rows; the others are left alone.
  void apply(PointsView x, Eigen::Ref<Block> y) const { transform(*sources_, *targets_, x, y); }
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const { transform(*targets_, *sources_, x, y); }

  const GaussGrid& grid() const { return grid_; }
  const std::shared_ptr<const SlabCloud>& sources() const { return sources_; }
  const std::shared_ptr<const SlabCloud>& targets() const { return targets_; }
  std::size_t memory() const;

 private:
  void transform(const SlabCloud& from, const SlabCloud& to, PointsView x, Eigen::Ref<Block> y) const;

  GaussGrid grid_;
  std::shared_ptr<const SlabCloud> sources_;
  std::shared_ptr<const SlabCloud> targets_;
  FourierFilter filter_;
  Spreader spreader_;
};

}  // namespace itomap::detail
