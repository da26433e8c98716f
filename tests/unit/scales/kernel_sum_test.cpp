#include "itomap/scales/kernel_sum.hpp"

#include <gtest/gtest.h>

#include "itomap/core/error.hpp"
#include "kernel/kernel_geometry.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(KernelSum, FindsTheDimensionOfCircleAndPlane) {
  const auto circle = select_scale(samples::on_circle(samples::skewed_angles(2000, 1)));
  EXPECT_NEAR(circle.intrinsic_dimension, 1.0, 0.25);
  EXPECT_GT(circle.epsilon, 1e-4);
  EXPECT_LT(circle.epsilon, 1.0);
  EXPECT_NEAR(select_scale(samples::skewed_ball(3000, 2, 1.0, 1)).intrinsic_dimension, 2.0, 0.5);
}

TEST(KernelSum, ScalesWithTheSquareOfTheData) {
  const Points x = samples::normal(500, 3, 1);
  const auto here = select_scale(x);
  for (const double unit : {1e-3, 0.3, 10.0, 1e6}) {
    const auto there = select_scale(unit * x);
    EXPECT_NEAR(there.epsilon / (unit * unit * here.epsilon), 1.0, 1e-12) << unit;
    EXPECT_NEAR(there.intrinsic_dimension, here.intrinsic_dimension, 1e-12) << unit;
  }
}

TEST(KernelSum, RefusesCoincidentPoints) { EXPECT_THROW(select_scale(Points::Ones(10, 2)), InvalidArgument); }

TEST(Density, IsTheRowSumAndItsSlopeTheDimension) {
  const Points x = samples::skewed_ball(4000, 2, 1.0, 7);
  const auto geometry = KernelGeometry::isotropic(x, 0.002, {});
  EXPECT_NEAR(geometry.sample().dimension, 2.0, 0.2);
  const Vector q = geometry.row_sums();
  double direct = 0.0;
  for (Index j = 0; j < x.rows(); ++j) {
    direct += std::exp(-(x.row(5) - x.row(j)).squaredNorm() / 0.008);
  }
  EXPECT_NEAR(q[5], direct, 4000 * 1e-8);
}

}  // namespace
}  // namespace itomap
