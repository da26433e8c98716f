// Vectors over the nodes of a grid, and half of the Gauss filter between them and the stored grid.
//
// K = C_t G C_s^T with G = H H: what is between windows and unknowns is H, on either side. The nodes are the grid
// points that take part in the transform; the stored grid has margins along periodic axes as well.
#pragma once

#include <complex>

#include "kernel/grid/gauss_grid.hpp"

namespace itomap::detail {

class NodeGrid {
 public:
  using Buffer = FourierFilter::Buffer;

  explicit NodeGrid(const GaussGrid& grid);

  /// n.
  Index nodes() const { return nodes_; }
  Buffer zeros() const { return half_.zeros(); }

  /// H u on the stored grid, four columns of u from `column` on; the margins are left 0.
  Buffer filtered(PointsView u, Index column) const;
  /// H times what is on the stored grid, into those columns of u. The grid is used up.
  void take_filtered(std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const;

 private:
  GridShape shape_;
  FourierFilter half_;  // H
  Index nodes_ = 1;
};

}  // namespace itomap::detail
