#include "neighbors/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

double plain_mean(const Points& points, const Eigen::RowVectorXd& place, Index count) {
  std::vector<double> squares;
  for (Index j = 0; j < points.rows(); ++j) {
    squares.push_back((points.row(j) - place).squaredNorm());
  }
  std::sort(squares.begin(), squares.end());
  double sum = 0.0;
  for (Index k = 0; k < count; ++k) {
    sum += squares[std::size_t(k)];
  }
  return sum / double(count);
}

// A tree serves few dimensions, a pass over all points many.
TEST(Nearest, MeanSquaredDistancesAreThoseOfASortedList) {
  for (const Index n : {1, 3, 12}) {
    const Points points = samples::normal(200, n, 5);
    const Points where = samples::normal(30, n, 6);
    const Vector means = mean_squared_distances(points, where, 17, {});
    for (Index i = 0; i < where.rows(); ++i) {
      EXPECT_NEAR(means[i], plain_mean(points, where.row(i), 17), 1e-12 * means[i]);
    }
  }
}

TEST(Nearest, APointIsItsOwnNearest) {
  const Points points = samples::normal(50, 2, 7);
  EXPECT_EQ(mean_squared_distances(points, points, 1, {}), Vector::Zero(50));
}

TEST(Nearest, DistancesGoAroundTheCircle) {
  Points points(3, 1);
  points << 0.1, 9.9, 5.0;
  const Points where = Points::Constant(1, 1, 0.0);
  EXPECT_NEAR(mean_squared_distances(points, where, 2, {10.0})[0], 0.01, 1e-14);
}

}  // namespace
}  // namespace itomap
