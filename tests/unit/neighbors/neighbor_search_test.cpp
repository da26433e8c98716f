#include "neighbors/neighbor_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// What a search must find, and all it returned.
std::set<Index> inside(PointsView points, const Points& centre, const Vector& half_widths) {
  std::set<Index> found;
  for (Index i = 0; i < points.rows(); ++i) {
    const auto offset = (points.row(i) - centre.row(0)).cwiseAbs().transpose();
    if ((offset.array() <= half_widths.array()).all() && offset.norm() <= half_widths.maxCoeff()) {
      found.insert(i);
    }
  }
  return found;
}

void expect_finds_all(PointsView points, SearchMethod method, const Points& centre, const Vector& half_widths) {
  const auto search = make_search(points, method, half_widths.minCoeff());
  std::vector<IndexRange> ranges;
  search->candidates(centre.data(), {half_widths.data(), half_widths.maxCoeff()}, ranges);
  std::set<Index> returned;
  Index last = -1;
  for (const IndexRange range : ranges) {
    EXPECT_LT(range.begin, range.end);
    EXPECT_GE(range.begin, last) << "ranges must ascend";
    last = range.end;
    for (Index i = range.begin; i < range.end; ++i) {
      returned.insert(i);
    }
  }
  const auto wanted = inside(points, centre, half_widths);
  EXPECT_TRUE(std::includes(returned.begin(), returned.end(), wanted.begin(), wanted.end())) << search->name();
}

TEST(NeighborSearch, EverySearchFindsEveryPointInTheBox) {
  for (const Index dimension : {1, 2, 3, 5}) {
    Points points = samples::normal(700, dimension, 3);
    points.row(1) = points.row(0);    // a duplicate
    points.row(2).setConstant(50.0);  // a far outlier
    std::vector<SearchMethod> methods = {SearchMethod::BruteForce, SearchMethod::KdTree, SearchMethod::Auto};
    if (dimension <= 3) {
      methods.push_back(SearchMethod::CellGrid);
    }
    for (const SearchMethod method : methods) {
      for (Index k = 0; k < 20; ++k) {
        const Vector half_widths = Vector::LinSpaced(dimension, 0.2, 0.3 + 0.05 * double(k));
        expect_finds_all(points, method, points.row(k), half_widths);
        expect_finds_all(points, method, points.row(k).array() + 3.0, half_widths);  // often outside the data
      }
    }
  }
}

TEST(NeighborSearch, PointsOnTheRimAreFound) {
  Points line(11, 1);
  line.col(0) = Vector::LinSpaced(11, 0.0, 1.0);
  for (const auto method : {SearchMethod::CellGrid, SearchMethod::KdTree}) {
    for (Index i = 0; i < 11; ++i) {
      expect_finds_all(line, method, line.row(i), Vector::Constant(1, 0.1));
    }
  }
}

TEST(NeighborSearch, CoincidentPointsMakeOneCell) {
  const Points same = Points::Constant(40, 2, 3.5);
  expect_finds_all(same, SearchMethod::CellGrid, same.topRows(1), Vector::Constant(2, 1e-3));
}

TEST(NeighborSearch, SpatialOrderIsAPermutation) {
  for (const Index dimension : {2, 6}) {
    auto order = spatial_order(samples::normal(900, dimension, 5), 0.3);
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) {
      ASSERT_EQ(order[k], std::int32_t(k));
    }
  }
}

TEST(NeighborSearch, PointsInCellOrderComeInFewRanges) {
  const Points points = samples::normal(5000, 2, 9);
  const auto order = spatial_order(points, 0.2);
  const Points sorted = points(order, Eigen::all);
  const auto grid = make_search(sorted, SearchMethod::CellGrid, 0.2);
  const Vector half_widths = Vector::Constant(2, 0.4);
  std::vector<IndexRange> ranges;
  grid->candidates(sorted.row(2500).data(), {half_widths.data(), 0.4}, ranges);
  EXPECT_LE(ranges.size(), 6U);  // one for each row of cells that the box touches
}

}  // namespace
}  // namespace itomap
