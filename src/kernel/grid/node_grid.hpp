// Vectors over the nodes of a grid, and the Gauss filter between them and the stored grid, half of it or all.
//
// K = C_t G C_s^T with G = H H: what is between windows and unknowns is H on either side, or G on one side and nothing
// on the other. The nodes are the grid points that take part in the transform; the stored grid has margins along
// periodic axes as well.
#pragma once

#include <complex>
#include <vector>

#include "kernel/grid/gauss_grid.hpp"
#include "kernel/grid/slab_cloud.hpp"

namespace itomap::detail {

class NodeGrid {
 public:
  using Buffer = FourierFilter::Buffer;

  /// All nodes, filter H.
  explicit NodeGrid(const GaussGrid& grid);
  /// The nodes under the windows of a cloud whose rows are less than `rows`, filter G.
  NodeGrid(const GaussGrid& grid, const SlabCloud& cloud, Index rows);

  /// n.
  Index nodes() const { return Index(stored_.size()); }
  Buffer zeros() const { return filter_.zeros(); }
  /// Of each node on the stored grid.
  const std::vector<Index>& stored() const { return stored_; }

  /// u on the stored grid, four columns of u from `column` on; the margins are left 0.
  Buffer plain(PointsView u, Index column) const;
  /// The filter times that.
  Buffer filtered(PointsView u, Index column) const;
  /// What is on the stored grid, into those columns of u.
  void take(const std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const;
  /// The filter times what is on the stored grid, which is used up.
  void take_filtered(std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const;

 private:
  NodeGrid(const GaussGrid& grid, std::array<std::vector<double>, 3> factors);

  GridShape shape_;
  FourierFilter filter_;
  std::vector<Index> stored_;
};

}  // namespace itomap::detail
