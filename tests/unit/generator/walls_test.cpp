#include "generator/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "generator/half_space.hpp"
#include "kernel/planner.hpp"
#include "support/samples.hpp"

namespace itomap::detail {
namespace {

/// Evenly spaced points of an interval, in the middles of n cells.
Vector middles(Index n, double length = 1.0) {
  return Vector::LinSpaced(n, 0.5 * length / double(n), length - 0.5 * length / double(n));
}

Walls walls_of(const Points& points, double epsilon, const std::vector<double>& period = {}) {
  const KernelOptions options{.period = period};
  const auto kernel = make_kernel(KernelGeometry::isotropic(points, epsilon, options), options);
  return find_walls(*kernel, points, period, epsilon, {});
}

/// By how much v differs from even shares, at most. These points are more even than independent ones, whose noise would
/// displace means by what is taken off here for nothing: several per cent are due to that.
double unevenness(const Vector& volume) { return volume.maxCoeff() / volume.minCoeff() - 1.0; }

TEST(Walls, AnEvenIntervalHasAnEvenDensityUpToItsEnds) {
  constexpr double epsilon = 1e-3;
  const Points x = middles(2000);
  const Walls walls = walls_of(x, epsilon);
  EXPECT_LT(unevenness(walls.volume), 0.06) << "a kernel sum is half too small at the ends";
  for (const Index i : {Index(0), Index(10), Index(60)}) {
    EXPECT_NEAR(walls.nearer[i], x(i, 0) / std::sqrt(4.0 * epsilon), 0.02);
    EXPECT_NEAR(walls.direction(i, 0), 1.0, 1e-12);
    EXPECT_NEAR(walls.direction(1999 - i, 0), -1.0, 1e-12);
  }
  EXPECT_GT(walls.nearer[1000], 2.5);
  EXPECT_NEAR(double(walls.near()), 2.0 * 0.37 * std::sqrt(4.0 * epsilon) * 2000.0, 4.0);
}

// So many points that little is taken off for noise: what is left would be there at any epsilon.
TEST(Walls, AreAsNearAsTheyAre) {
  constexpr double epsilon = 1e-3;
  constexpr Index n = 400000;
  const Points x = middles(n);
  const Walls walls = walls_of(x, epsilon);
  EXPECT_LT(unevenness(walls.volume), 5e-3);
  for (const double b : {0.1, 0.5, 1.0}) {
    const auto i = Index(b * std::sqrt(4.0 * epsilon) * double(n));
    EXPECT_NEAR(walls.nearer[i], b, 1e-3);
  }
}

TEST(Walls, ASlopeIsNoWall) {
  constexpr Index n = 4000;
  // Density e^(3 x), without noise.
  const Vector u = middles(n);
  const Points x = (1.0 + u.array() * (std::exp(3.0) - 1.0)).log() / 3.0;
  const Walls walls = walls_of(x, 1e-3);
  const Vector even = walls.volume.array() * (3.0 * x.col(0).array()).exp();
  EXPECT_LT(unevenness(even), 0.15) << "a wall would make it 1";
  EXPECT_LT(unevenness(even.segment(n / 4, n / 2)), 0.06);
}

TEST(Walls, CornersOfASquare) {
  const Points x = samples::lattice(middles(80), middles(80));
  const Walls walls = walls_of(x, 1e-3);
  EXPECT_LT(unevenness(walls.volume), 0.15) << "a quarter of the kernel is left in a corner";
  EXPECT_LT(walls.farther[0], 0.5);
  EXPECT_GT(walls.farther[40], 2.0);
}

TEST(Walls, ABentManifoldHasNone) {
  // Along an ellipse the mean of the neighbours is displaced, across the curve.
  constexpr Index n = 3000;
  Points x(n, 2);
  Vector speed(n);
  for (Index i = 0; i < n; ++i) {
    const double t = 2.0 * std::numbers::pi * double(i) / double(n);
    x.row(i) << 2.0 * std::cos(t), std::sin(t);
    speed[i] = std::hypot(2.0 * std::sin(t), std::cos(t));
  }
  const Walls walls = walls_of(x, 0.01);
  EXPECT_EQ(walls.near(), 0);
  EXPECT_LT(unevenness(walls.volume.cwiseQuotient(speed)), 0.05);
}

TEST(Walls, PeriodicCoordinatesHaveNone) {
  const Points x = samples::lattice(middles(60), middles(60));
  const Walls around = walls_of(x, 1e-3, {1.0, 1.0});
  EXPECT_EQ(around.near(), 0);
  EXPECT_LT(unevenness(around.volume), 1e-6);
  const Walls half = walls_of(x, 1e-3, {1.0, 0.0});
  EXPECT_LT(unevenness(half.volume), 0.1);
  EXPECT_NEAR(std::abs(half.direction(0, 1)), 1.0, 1e-9);
}

TEST(Walls, LonePointsAreNoWalls) {
  Points x(4, 2);
  x << 0, 0, 100, 0, 0, 100, 100.01, 0;
  const Walls walls = walls_of(x, 1.0);
  EXPECT_TRUE(walls.volume.allFinite());
  EXPECT_NEAR(walls.volume[0], 1.0, 1e-6);
  EXPECT_NEAR(walls.volume[1], 0.5, 1e-3);
}

TEST(Walls, ManyCoordinatesAreReducedToThoseThatVary) {
  // A square in the first two of twenty coordinates, turned.
  const Points square = samples::lattice(middles(50), middles(50));
  Points x = Points::Zero(2500, 20);
  x.col(3) = (square.col(0) + square.col(1)) / std::numbers::sqrt2;
  x.col(17) = (square.col(0) - square.col(1)) / std::numbers::sqrt2;
  const Walls walls = walls_of(x, 2e-3);
  const Walls plane = walls_of(square, 2e-3);
  EXPECT_LT((walls.volume - plane.volume).cwiseAbs().maxCoeff(), 1e-4 * plane.volume.maxCoeff());
}

TEST(Walls, OfSomePointsAreThoseThatTheyHaveByThemselves) {
  const Points x = samples::lattice(middles(40), middles(40));
  std::vector<Index> rows;
  for (Index i = 0; i < x.rows(); i += 2) {
    rows.push_back(i);
  }
  const Points some = x(rows, Eigen::all);
  const KernelOptions options;
  const auto kernel = make_kernel(KernelGeometry::isotropic(some, 2e-3, options), options);
  const Walls part = find_walls(*kernel, some, {}, 2e-3, {}, walls_of(x, 2e-3), rows);
  const Walls alone = walls_of(some, 2e-3);
  EXPECT_LT((part.volume.array() / alone.volume.array() - 1.0).abs().maxCoeff(), 0.03);
}

}  // namespace
}  // namespace itomap::detail
