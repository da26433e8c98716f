// Whether all points hang together, from how many lie in each cell of a lattice.
//
// Cells are so small that a ball around a place in one of them surely holds all cells up to some steps away: what lies
// there is seen from here. That proves that a kernel's graph is connected, and that nobody is alone, without looking at
// pairs of points; where it proves nothing, the points are so far apart, next to the cut-off, that they should be
// looked at one by one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "kernel/grid/gauss_grid.hpp"

namespace itomap::detail {

class CellLattice {
 public:
  CellLattice(const WhitenedBox& box, double reach);

  Index cells() const { return count_[0] * count_[1] * count_[2]; }
  /// The cell that z lies in; -1 if it is outside of the box.
  Index cell(const double* z) const;

  /// Whether every row sees another point and all are connected, for so many points in each cell and so many rows
  /// centred there.
  bool surely_connected(std::span<const double> points, std::span<const double> centres) const;

 private:
  template <class Body>
  void for_seen(Index cell, const Body& body) const;

  Index dimension_;
  Index steps_;  // up to which cells are surely seen
  std::array<double, 3> low_{};
  std::array<double, 3> side_{1.0, 1.0, 1.0};
  std::array<Index, 3> count_{1, 1, 1};
  std::array<bool, 3> periodic_{};
};

}  // namespace itomap::detail
