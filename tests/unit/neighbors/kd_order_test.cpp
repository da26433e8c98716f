#include "neighbors/kd_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

std::vector<std::int32_t> ordered(const Points& points) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), 0);
  kd_order(points, 0, order);
  return order;
}

TEST(KdOrder, IsAPermutation) {
  for (const Index m : {1, 4, 5, 17, 64, 65, 1000}) {
    auto order = ordered(samples::normal(m, 3, 1));
    std::sort(order.begin(), order.end());
    for (Index i = 0; i < m; ++i) {
      EXPECT_EQ(order[std::size_t(i)], i);
    }
  }
}

TEST(KdOrder, AlignedRunsAreCompact) {
  const Points x = samples::normal(4096, 2, 2);
  const auto order = ordered(x);
  const Points sorted = x(order, Eigen::all);
  double area = 0.0;
  for (Index first = 0; first < 4096; first += 64) {
    const auto run = sorted.middleRows(first, 64);
    const Eigen::RowVector2d sides = run.colwise().maxCoeff() - run.colwise().minCoeff();
    area += sides.prod();
  }
  const Eigen::RowVector2d all = x.colwise().maxCoeff() - x.colwise().minCoeff();
  EXPECT_LT(area, 1.01 * all.prod()) << "boxes of a halving do not overlap";
}

TEST(KdOrder, CopiesOfOnePointKeepTheirOrder) {
  const auto order = ordered(Points::Ones(300, 2));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

}  // namespace
}  // namespace itomap
