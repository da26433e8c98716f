// The fast Gauss transform:  y_i = sum_j exp(-|t_i - s_j|^2) x_j  in time proportional to the number of points.
//
// Sources are spread to a regular grid, the grid is filtered in Fourier space, and the targets gather from it. The
// error of every kernel value is below the accuracy of the grid, relative to the largest value, 1; it is the same for
// (i, j) and (j, i). Four vectors travel together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "itomap/core/types.hpp"
#include "kernel/gauss_grid.hpp"

namespace itomap {

/// Points sorted along the grid, so that neighbours touch the same part of it, and cut into slabs: the windows of every
/// second slab do not overlap, and threads can spread them at the same time.
class SlabCloud {
 public:
  /// Row `rows[k]` of the blocks that are multiplied belongs to the k-th of the points.
  SlabCloud(const Points& points, const std::vector<std::int32_t>& rows, const SpreadPlan& plan);

  Index size() const { return Index(rows_.size()); }
  Index slabs() const { return Index(starts_.size()) - 1; }
  Index begin(Index slab) const { return starts_[std::size_t(slab)]; }
  Index end(Index slab) const { return starts_[std::size_t(slab) + 1]; }
  const double* coordinates(Index k) const { return points_.data() + k * points_.cols(); }
  Index row(Index k) const { return rows_[std::size_t(k)]; }
  std::size_t memory() const;

 private:
  Points points_;
  std::vector<std::int32_t> rows_;
  std::vector<Index> starts_;
};

class GaussTransform {
 public:
  /// Sources and targets may be the same object.
  GaussTransform(GaussGrid grid, std::shared_ptr<const SlabCloud> sources, std::shared_ptr<const SlabCloud> targets,
                 int threads);

  /// Sets y at the targets' rows; the others are left alone.
  void apply(PointsView x, Eigen::Ref<Block> y) const { transform(*sources_, *targets_, x, y); }
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const { transform(*targets_, *sources_, x, y); }

  const GaussGrid& grid() const { return grid_; }
  std::size_t memory() const;

 private:
  void transform(const SlabCloud& from, const SlabCloud& to, PointsView x, Eigen::Ref<Block> y) const;
  void spread(const SlabCloud& from, PointsView x, Index column, double* grid) const;
  void gather(const SlabCloud& to, const double* grid, Index column, Eigen::Ref<Block> y) const;

  GaussGrid grid_;
  std::shared_ptr<const SlabCloud> sources_;
  std::shared_ptr<const SlabCloud> targets_;
  FourierFilter filter_;
  SpreadPlan plan_;
  SpreadingLoops loops_;
  int threads_;
};

}  // namespace itomap
