#include "generator/half_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace itomap::detail {
namespace {

/// By the midpoint rule from -b on: the mean of f under exp(-t^2), which is nothing from 9 on.
double mean_inside(double b, const std::function<double(double)>& f) {
  constexpr int cells = 20000;
  const double width = (9.0 + b) / cells;
  double sum = 0.0;
  double mass = 0.0;
  for (int k = 0; k < cells; ++k) {
    const double t = -b + (k + 0.5) * width;
    sum += std::exp(-t * t) * f(t);
    mass += std::exp(-t * t);
  }
  return sum / mass;
}

TEST(HalfSpace, MomentsAreThoseOfAKernelThatIsCutOff) {
  for (const double b : {-1.5, -0.4, 0.0, 0.3, 1.0, 2.0}) {
    EXPECT_NEAR(displacement(b), mean_inside(b, [](double t) { return t; }), 1e-6) << b;
    EXPECT_NEAR(0.5 - b * displacement(b), mean_inside(b, [](double t) { return t * t; }), 1e-6) << b;
  }
  EXPECT_DOUBLE_EQ(share_inside(0.0), 0.5);
  EXPECT_NEAR(share_inside(far_inside), 1.0, 2e-8);
}

TEST(HalfSpace, TheDistanceFollowsFromTheDisplacement) {
  for (const double b : {-2.0, -0.3, 0.0, 0.5, 1.7, 3.0}) {
    EXPECT_NEAR(distance_of(displacement(b)), b, 1e-4);
  }
  EXPECT_EQ(distance_of(0.0), far_inside);
  EXPECT_EQ(distance_of(-1.0), far_inside);
  EXPECT_EQ(distance_of(1e3), -3.0);
}

TEST(HalfSpace, ReflectingWeightsLoseNothing) {
  for (const double b : {0.0, 0.4, 1.0, 2.5}) {
    // Within the half space y > 0, to 12 widths.
    constexpr int cells = 6000;
    double kept = 0.0;
    for (int k = 0; k < cells; ++k) {
      const double y = (k + 0.5) * 12.0 / cells;
      kept += std::exp(-(b - y) * (b - y)) * reflecting_weight(y) * 12.0 / cells;
    }
    EXPECT_NEAR(reflecting_weight(b) * kept / std::sqrt(std::numbers::pi), 1.0, 2e-4) << b;
  }
  EXPECT_EQ(reflecting_weight(far_inside), 1.0);
  EXPECT_NEAR(reflecting_weight(3.9), 1.0, 1e-4);
}

TEST(HalfSpace, AbsorbingWeightsLeaveTheDistanceAlone) {
  for (const double b : {0.1, 0.4, 1.0, 2.5}) {
    constexpr int cells = 6000;
    double kept = 0.0;
    for (int k = 0; k < cells; ++k) {
      const double y = (k + 0.5) * 12.0 / cells;
      kept += std::exp(-(b - y) * (b - y)) * absorbing_weight(y) * y * 12.0 / cells;
    }
    EXPECT_NEAR(absorbing_weight(b) * kept / std::sqrt(std::numbers::pi), b, 2e-4) << b;
  }
  EXPECT_EQ(absorbing_weight(far_inside), 1.0);
  EXPECT_EQ(absorbing_weight(0.0), 0.0);
  EXPECT_EQ(absorbing_weight(-1.0), 0.0);
}

TEST(HalfSpace, TheDistanceFollowsFromTheShare) {
  for (const double b : {-1.0, 0.0, 0.3, 1.5, 3.0}) {
    EXPECT_NEAR(distance_from_share(share_inside(-b)), b, 1e-4) << b;
  }
  EXPECT_EQ(distance_from_share(0.0), far_inside);
}

TEST(HalfSpace, CornersAreToldFromWalls) {
  const auto read = [](double first, double second) {
    const double h1 = displacement(first);
    const double h2 = displacement(second);
    return corner_of(h1 * h1 + h2 * h2, first * h1 + second * h2);
  };
  for (const double b : {-0.2, 0.0, 0.5, 1.2}) {
    for (const double farther : {0.1, 0.8, 1.5}) {
      if (farther < b) {
        continue;
      }
      const WallCorner corner = read(b, farther);
      EXPECT_NEAR(corner.nearer, b, 2e-3) << b << " " << farther;
      EXPECT_NEAR(corner.farther, farther, 2e-2) << b << " " << farther;
    }
    EXPECT_NEAR(read(b, far_inside).nearer, b, 1e-3);
    EXPECT_GT(read(b, far_inside).farther, 2.5);
  }
  EXPECT_EQ(corner_of(0.0, 0.0).nearer, far_inside);
  EXPECT_EQ(corner_of(-0.01, 0.3).nearer, far_inside);
}

}  // namespace
}  // namespace itomap::detail
