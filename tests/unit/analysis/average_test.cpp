#include "itomap/analysis/average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Expectation, EqualWeightsGiveTheUsualFormulas) {
  const Points f = samples::normal(200, 1, 1);
  const auto average = expectation(Vector::Constant(200, 1.0 / 200.0), f);
  const double mean = f.mean();
  const double variance = (f.array() - mean).square().sum() / 199.0;
  EXPECT_NEAR(average.mean[0], mean, 1e-14);
  EXPECT_NEAR(average.standard_error[0], std::sqrt(variance / 200.0), 1e-14);
  EXPECT_NEAR(average.standard_deviation[0], std::sqrt(variance * 199.0 / 200.0), 1e-14);
  EXPECT_NEAR(average.effective_points, 200.0, 1e-9);
  EXPECT_TRUE(average.warnings.empty());
}

TEST(Expectation, KishOfTwoWeights) {
  const Vector w = (Vector(3) << 0.75, 0.25, 0.0).finished();
  const auto average = expectation(w, (Points(3, 2) << 1, 0, 5, 1, 9, 9).finished());
  EXPECT_DOUBLE_EQ(average.effective_points, 1.6);
  EXPECT_DOUBLE_EQ(average.mean[0], 2.0);
  EXPECT_DOUBLE_EQ(average.mean[1], 0.25);
  // n / (n - 1) = 8/3, sum w^2 (f - mean)^2 = 0.5625 + 0.5625
  EXPECT_DOUBLE_EQ(average.standard_error[0], std::sqrt(3.0));
}

TEST(Expectation, LeavesDroppedPointsOut) {
  const Vector w = (Vector(4) << 0.5, nan, 0.25, 0.25).finished();
  const Points f = (Points(4, 1) << 1, nan, 2, 4).finished();
  const auto average = expectation(w, f);
  EXPECT_DOUBLE_EQ(average.mean[0], 2.0);
  EXPECT_EQ(average.points, 3);
}

TEST(Expectation, WarnsBelowFiftyEffectivePoints) {
  const Points f = samples::normal(100, 1, 1);
  EXPECT_TRUE(expectation(Vector::Ones(51), f.topRows(51)).warnings.empty());
  EXPECT_EQ(expectation(Vector::Ones(49), f.topRows(49)).warnings.size(), 1U);
  Vector w = Vector::Zero(100);
  w[3] = 1.0;
  const auto lone = expectation(w, f);
  EXPECT_EQ(lone.mean[0], f(3, 0));
  EXPECT_FALSE(std::isfinite(lone.standard_error[0])) << "one point has no error bar";
}

TEST(Expectation, RefusesWhatDoesNotFit) {
  const Vector w = Vector::Ones(4);
  EXPECT_THROW(expectation(w, Points::Ones(3, 1)), InvalidArgument);
  EXPECT_THROW(expectation(-w, Points::Ones(4, 1)), InvalidArgument);
  EXPECT_THROW(expectation(0.0 * w, Points::Ones(4, 1)), InvalidArgument);
  Points f = Points::Ones(4, 2);
  f(2, 1) = nan;
  try {
    expectation(w, f);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "observable: nan in row 2, column 1 (counted from 0); mend that row");
  }
}

// Exact importance weights, so that the error bar is all there is: its square is the mean squared error, and the mean
// of 600 squared z-scores is 1 up to 4 standard errors of (2 / 600)^1/2 (somewhat more for heavier tails).
TEST(Expectation, ErrorBarsHaveTheRightSize) {
  constexpr int draws = 600;
  double z2 = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const Vector x = 1.4 * samples::normal(800, 1, std::uint64_t(1000 + draw)).col(0);
    const Vector w = (-0.5 * x.array().square() * (1.0 - 1.0 / (1.4 * 1.4))).exp();
    const auto average = expectation(w, x.cwiseAbs2());
    z2 += std::pow((average.mean[0] - 1.0) / average.standard_error[0], 2) / draws;
  }
  EXPECT_NEAR(z2, 1.0, 5.0 * std::sqrt(2.0 / draws));
}

}  // namespace
}  // namespace itomap
