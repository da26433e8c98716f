#include "itomap/analysis/average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "itomap/core/error.hpp"
#include "itomap/generator/target_measure_map.hpp"
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

/// A target narrower than the sample, which is too wide for it by 1.4.
Map gaussian_map(const Points& x, double epsilon) {
  return target_measure_map(x, -0.5 * x.rowwise().squaredNorm(), {.epsilon = epsilon});
}

TEST(ExpectationOfAMap, HasTheMeanOfItsWeights) {
  const Points x = 1.4 * samples::normal(400, 1, 3);
  const Map map = gaussian_map(x, 0.05);
  const Spectrum spectrum = eigenpairs(map, {.count = 2});
  Points f(400, 2);
  f << x, x.cwiseAbs2();
  const auto average = expectation(map, spectrum, f, {.blocks = 8});
  EXPECT_EQ(average.mean, expectation(spectrum.stationary, f).mean);
  EXPECT_EQ(average.replication->blocks, 8);
  EXPECT_EQ(average.replication->power, 1.0);
  EXPECT_LT(average.replication->correlated_rows, 1.5);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_GT(average.noise[k], 0.0);
    EXPECT_GE(average.extrapolated_error[k], 0.0);
  }
}

TEST(ExpectationOfAMap, DoesNotDependOnUnitsAndOffsets) {
  const Points x = 1.4 * samples::normal(300, 1, 4);
  const Map map = gaussian_map(x, 0.05);
  const Spectrum spectrum = eigenpairs(map, {.count = 2});
  const auto plain = expectation(map, spectrum, x, {.blocks = 5});
  const auto other = expectation(map, spectrum, (1e6 + 1e-3 * x.array()).matrix(), {.blocks = 5});
  EXPECT_NEAR(1e3 * other.noise[0] / plain.noise[0], 1.0, 1e-4);
  EXPECT_NEAR(1e3 * other.extrapolated_error[0] / plain.extrapolated_error[0], 1.0, 1e-4);
  EXPECT_NEAR(1e3 * (other.extrapolated[0] - 1e6), plain.extrapolated[0], 1e-4);
}

TEST(ExpectationOfAMap, RowsOfDroppedPointsDoNotCount) {
  Points x = 1.4 * samples::normal(300, 2, 5);
  x.row(17).setConstant(50.0);
  const Map map = target_measure_map(x, -0.5 * x.rowwise().squaredNorm(), {.epsilon = 0.1, .drop_isolated = true});
  ASSERT_LT(map.size(), 300);
  Points f = x.col(0);
  f(17, 0) = nan;
  const auto average = expectation(map, eigenpairs(map, {.count = 2}), f, {.blocks = 5});
  EXPECT_EQ(average.points, map.size());
  EXPECT_TRUE(std::isfinite(average.extrapolated_error[0]));
}

TEST(ExpectationOfAMap, SaysSoWhenTheOrderOfRowsIsThatOfThePoints) {
  Points x(400, 1);
  x.col(0) = Vector::LinSpaced(400, -3.0, 3.0);
  const Map map = gaussian_map(x, 0.05);
  const auto average = expectation(map, eigenpairs(map, {.count = 2}), x, {.blocks = 10});
  ASSERT_FALSE(average.warnings.empty());
  EXPECT_NE(average.warnings[0].find("mix the rows"), std::string::npos);
  EXPECT_LE(average.replication->blocks, 4);
}

TEST(ExpectationOfAMap, RefusesWhatDoesNotFit) {
  const Points x = samples::normal(200, 1, 6);
  const Map map = gaussian_map(x, 0.1);
  const Spectrum spectrum = eigenpairs(map, {.count = 2});
  EXPECT_THROW(expectation(map, spectrum, x.topRows(199)), InvalidArgument);
  EXPECT_THROW(expectation(map, spectrum, x, {.blocks = 1}), InvalidArgument);
  EXPECT_THROW(expectation(map, spectrum, x, {.blocks = 4, .runs = {100, 99}}), InvalidArgument);
  EXPECT_THROW(expectation(map, spectrum, x, {.blocks = 4, .power = 2.0}), InvalidArgument);
}

}  // namespace
}  // namespace itomap
