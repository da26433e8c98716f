// A grid with all that carries numbers between its points and those of a block.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernel/grid/node_grid.hpp"
#include "kernel/grid/slab_cloud.hpp"

namespace itomap::detail {

/// Up to four functions on a grid, ready to be gathered from by several threads at once.
using GridField = FourierFilter::Buffer;

class GridTools {
 public:
  explicit GridTools(GaussGrid grid);
  GridTools(const GridTools&) = delete;
  GridTools& operator=(const GridTools&) = delete;

  const GaussGrid& grid() const { return grid_; }
  const Spreader& spreader() const { return spreader_; }
  const NodeGrid& nodes() const { return nodes_; }
  /// Grid points in memory: as many sums as `spread` adds to.
  std::size_t stored() const { return std::size_t(grid_.total()); }

  /// The points of a block, numbered by its rows.
  SlabCloud cloud(const Points& places) const;

  /// sums += C^T x.
  void spread(const SlabCloud& cloud, const Vector& x, std::span<double> sums) const;
  /// G C^T x for up to four such sums, side by side.
  GridField field(const std::vector<std::span<const double>>& sums) const;
  /// H u, likewise, for up to four columns of u from `column` on.
  GridField node_field(PointsView u, Index column) const;
  /// H C^T x from such sums, n x 1.
  Block condensed(std::span<const double> sums) const;

  /// The first `lanes` functions at the points of a block, into columns of y from `column` on.
  void gather(const SlabCloud& cloud, const GridField& field, Index column, Eigen::Ref<Block> y) const;

 private:
  GaussGrid grid_;
  Spreader spreader_;
  NodeGrid nodes_;
  FourierFilter filter_;  // G
};

}  // namespace itomap::detail
