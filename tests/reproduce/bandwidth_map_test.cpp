#include "reproduce/bandwidth_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

// exp(-|x|^2 / 2) by its bandwidth alone, from points that are spread evenly: time scales 1 and 1/2 on a line.
TEST(BandwidthMap, FindsTheTargetThatItsBandwidthMakes) {
  samples::Random random(1);
  Points x(600, 1);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = random.uniform(-3.0, 3.0);
  }
  const Vector log_bandwidth = -0.5 * x.col(0).cwiseAbs2() / (1.0 + 2.0);
  const Vector found = bandwidth_timescales(x, log_bandwidth, 0.01, 2);
  EXPECT_NEAR(found[0], 1.0, 0.1);
  EXPECT_NEAR(found[1], 0.5, 0.05);
}

// The same bandwidth, other points: the density of the points does not matter. Eigenvalue 1 is double in the plane.
TEST(BandwidthMap, DoesNotDependOnTheSamplingDensity) {
  const Points x = samples::skewed_ball(1000, 2, 3.0, 2);
  const Vector log_bandwidth = -0.5 * x.rowwise().squaredNorm() / (2.0 + 2.0);
  const Vector found = bandwidth_timescales(x, log_bandwidth, 0.05, 2);
  EXPECT_NEAR(found[0], 1.0, 0.2);
  EXPECT_NEAR(found[1], 1.0, 0.2);
}

TEST(BandwidthMap, LeavesOutWhatIsNotConnected) {
  samples::Random random(3);
  Points x(601, 1);
  for (Index i = 0; i < 600; ++i) {
    x(i, 0) = random.uniform(-3.0, 3.0);
  }
  x(600, 0) = 100.0;
  const Vector log_bandwidth = (-0.5 * x.col(0).cwiseAbs2() / 3.0).cwiseMax(-3.0);
  EXPECT_NEAR(bandwidth_timescales(x, log_bandwidth, 0.01, 1)[0], 1.0, 0.1);
}

}  // namespace
}  // namespace itomap::reproduce
