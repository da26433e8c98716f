#include "neighbors/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbors/ranges.hpp"

namespace itomap::detail {
namespace {

/// Cells along one axis: of the wanted width, but never so many that empty cells outnumber the points by far, or far
/// outliers would blow the grid up.
Index cells_along(double extent, double cell, Index points, Index dimension) {
  const double wanted = std::floor(extent / cell);
  const double most = std::ceil(std::pow(4.0 * double(points), 1.0 / double(dimension)));
  return Index(std::clamp(wanted, 1.0, most));
}

}  // namespace

CellGrid::CellGrid(PointsView points, double cell) : dimension_(points.cols()) {
  const Index m = points.rows();
  for (Index axis = 0; axis < dimension_; ++axis) {
    const double low = points.col(axis).minCoeff();
    const double extent = points.col(axis).maxCoeff() - low;
    low_[axis] = low;
    count_[axis] = cells_along(extent, cell, m, dimension_);
    width_[axis] = extent > 0.0 ? extent / double(count_[axis]) : 1.0;
  }
  std::vector<Index> cell_of(static_cast<std::size_t>(m));
  start_.assign(std::size_t(count_[0] * count_[1] * count_[2] + 1), 0);
  for (Index i = 0; i < m; ++i) {
    Cell c{};
    for (Index axis = 0; axis < dimension_; ++axis) {
      c[axis] = coordinate(points(i, axis), axis);
    }
    cell_of[i] = cell_number(c);
    ++start_[cell_of[i] + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  order_.resize(std::size_t(m));
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  for (Index i = 0; i < m; ++i) {
    order_[next[cell_of[i]]++] = std::int32_t(i);
  }
  sorted_ = std::is_sorted(order_.begin(), order_.end());
}

Index CellGrid::coordinate(double x, Index axis) const {
  const double c = std::floor((x - low_[axis]) / width_[axis]);
  return Index(std::clamp(c, 0.0, double(count_[axis] - 1)));
}

Index CellGrid::cell_number(const Cell& cell) const {
  Index number = 0;
  for (Index axis = 0; axis < dimension_; ++axis) {
    number = number * count_[axis] + cell[axis];
  }
  return number;
}

void CellGrid::append_row(Cell cell, Index last, std::vector<IndexRange>& found) const {
  const Index first = cell_number(cell);
  const Index begin = start_[first];
  const Index end = start_[first + (last - cell[dimension_ - 1]) + 1];
  if (begin == end) {
    return;
  }
  if (sorted_) {
    append_range(found, {begin, end});
  } else {
    for (Index k = begin; k < end; ++k) {
      found.push_back({order_[k], order_[k] + 1});
    }
  }
}

void CellGrid::candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const {
  found.clear();
  Cell low{};
  Cell high{};
  for (Index axis = 0; axis < dimension_; ++axis) {
    // One rounding error more than the box: a point on its rim must not be lost.
    const double half = reach.half_widths[axis] * (1.0 + 1e-12);
    const double top = low_[axis] + width_[axis] * double(count_[axis]);
    if (centre[axis] + half < low_[axis] || centre[axis] - half > top + 1e-12 * (std::abs(top) + width_[axis])) {
      return;
    }
    low[axis] = coordinate(centre[axis] - half, axis);
    high[axis] = coordinate(centre[axis] + half, axis);
  }
  const Index last_axis = dimension_ - 1;
  Cell row = low;
  while (true) {
    append_row(row, high[last_axis], found);
    Index axis = last_axis - 1;
    while (axis >= 0 && row[axis] == high[axis]) {
      row[axis] = low[axis];
      --axis;
    }
    if (axis < 0) {
      break;
    }
    ++row[axis];
  }
  if (!sorted_) {
    sort_ranges(found);
  }
}

}  // namespace itomap::detail
