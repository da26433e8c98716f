#include "scales/scale_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace itomap {
using namespace detail;
namespace {

constexpr double widest = 0.64;
constexpr double dimension = 2.0;

/// Two replicates that a jackknife makes this noise of.
std::vector<Vector> replicates(const Vector& lambda, const Vector& noise) { return {lambda + noise, lambda - noise}; }

/// Eigenvalues -1 and -2, both with the relative biases a epsilon + b epsilon^2 + c / epsilon, at `count` scales.
std::vector<TriedScale> tried(double a, double b, double c, int count) {
  std::vector<TriedScale> scales;
  for (int k = 0; k < count; ++k) {
    const double epsilon = std::ldexp(widest, -k);
    const double factor = 1.0 + a * epsilon + b * epsilon * epsilon + c / epsilon;
    Vector lambda(2);
    lambda << -factor, -2.0 * factor;
    scales.push_back({.lambda = lambda, .without = {lambda, lambda}});
  }
  return scales;
}

TEST(ScaleErrors, TellsTheTwoBiasesApart) {
  const auto errors = scale_errors(tried(0.5, 0.0, 1e-4, 6), dimension);
  for (int k = 1; k < 6; ++k) {
    const double epsilon = std::ldexp(widest, -k);
    const double factor = 1.0 + 0.5 * epsilon + 1e-4 / epsilon;
    EXPECT_NEAR(errors[std::size_t(k)].width, 0.5 * epsilon / factor, 1e-12) << k;
    EXPECT_NEAR(errors[std::size_t(k)].few, 1e-4 / epsilon / factor, 1e-12) << k;
  }
}

TEST(ScaleErrors, AHillIsNoPlateau) {
  // a epsilon - a epsilon^2 is highest at 0.5: from 0.64 to 0.32 it hardly changes, though it is 0.2 off there.
  const auto errors = scale_errors(tried(1.0, -1.0, 0.0, 7), dimension);
  const double factor = 1.0 + 0.32 - 0.32 * 0.32;
  EXPECT_GT(errors[1].width, 0.8 * (0.32 - 0.32 * 0.32) / factor);
}

TEST(ScaleErrors, ANoisyScaleSaysNothingAboutWiderOnes) {
  auto scales = tried(0.01, 0.0, 0.0, 5);
  scales[3].lambda *= 1.3;
  const double seen = scale_errors(scales, dimension)[1].width;
  scales[3].without = replicates(scales[3].lambda, 0.3 * scales[3].lambda);
  const double unsure = scale_errors(scales, dimension)[1].width;
  EXPECT_GT(seen, 0.1);
  EXPECT_LT(unsure, 0.05);
}

TEST(ScaleErrors, AScaleThatHasLostHalfOfLambdaSaysNothingAboutWiderOnes) {
  // Time scales of 2,000 points on a torus: a plateau at 3800, and a rise without end where neighbours run out.
  std::vector<TriedScale> scales;
  for (const double t : {5343.0, 4403.0, 4005.0, 3833.0, 3801.0, 3924.0, 4326.0, 5457.0, 9213.0, 29325.0}) {
    const Vector lambda = Vector::Constant(1, -1.0 / t);
    scales.push_back({.lambda = lambda, .without = {lambda, lambda}});
  }
  const auto errors = scale_errors(scales, dimension);
  EXPECT_NEAR(errors[2].width, 0.1, 0.05);
  EXPECT_LT(errors[4].width, 0.05);
}

TEST(ScaleErrors, AreRelativeRootMeanSquares) {
  auto scales = tried(0.0, 0.0, 0.0, 3);
  const Vector noise = Eigen::Vector2d(0.3, 0.8);  // of -1 and -2
  scales[1].without = replicates(scales[1].lambda, noise);
  EXPECT_NEAR(scale_errors(scales, dimension)[1].noise, std::sqrt((0.09 + 0.16) / 2.0), 1e-12);
}

TEST(ScaleErrors, AreThoseOfTheLongestRow) {
  auto scales = tried(0.5, 0.0, 0.0, 6);
  scales[1] = {};
  scales.emplace_back();  // too narrow: the usual end
  const auto errors = scale_errors(scales, dimension);
  for (const std::size_t k : {0U, 1U, 2U, 6U}) {
    EXPECT_TRUE(std::isnan(errors[k].width)) << k;
  }
  for (const std::size_t k : {3U, 4U, 5U}) {
    EXPECT_TRUE(std::isfinite(errors[k].width)) << k;
  }
  EXPECT_TRUE(std::isnan(scale_errors({scales[0]}, dimension)[0].noise));
  EXPECT_TRUE(scale_errors({}, dimension).empty());
}

TEST(ScaleErrors, TwoScalesDifferByTheWidth) {
  const auto errors = scale_errors(tried(0.5, 0.0, 0.0, 2), dimension);
  EXPECT_NEAR(errors[1].width, 0.5 * 0.32 / (1.0 + 0.5 * 0.32), 1e-12);
  EXPECT_EQ(errors[1].few, 0.0);
}

TEST(SlowestFirst, TakesRealParts) {
  Eigen::VectorXcd lambda(4);
  lambda << std::complex(-3.0, 1.0), std::complex(-1.0, -2.0), std::complex(-1.0, 2.0), std::complex(-2.0, 0.0);
  EXPECT_EQ(slowest_first(lambda), Eigen::Vector4d(-1.0, -1.0, -2.0, -3.0));
}

}  // namespace
}  // namespace itomap
