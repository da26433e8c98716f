// A regular grid of cells over the points, for one to three dimensions.
//
// Cells are numbered with the last coordinate running fastest. If the points are stored in that order, a row of cells
// along the last coordinate is one contiguous run of points, and a query returns one range per such row.
#pragma once

#include <array>
#include <vector>

#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

class CellGrid final : public NeighborSearch {
 public:
  static constexpr Index max_dimension = 3;

  CellGrid(PointsView points, double cell);
  void candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const override;
  std::string_view name() const override { return "cell grid"; }

  /// The points' numbers sorted by cell, and by number within a cell.
  const std::vector<std::int32_t>& order() const { return order_; }
  Index cells() const { return Index(start_.size()) - 1; }
  /// Where the points of a cell stand in order().
  IndexRange members(Index cell) const { return {start_[std::size_t(cell)], start_[std::size_t(cell + 1)]}; }

 private:
  using Cell = std::array<Index, max_dimension>;

  Index coordinate(double x, Index axis) const;
  Index cell_number(const Cell& cell) const;
  void append_row(Cell cell, Index last, std::vector<IndexRange>& found) const;

  Index dimension_;
  std::array<double, max_dimension> low_{};
  std::array<double, max_dimension> width_{};
  std::array<Index, max_dimension> count_{1, 1, 1};
  std::vector<Index> start_;         // of each cell in order_
  std::vector<std::int32_t> order_;  // points by cell
  bool sorted_ = false;              // the points are stored in cell order
};

}  // namespace itomap::detail
