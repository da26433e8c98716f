#include "itomap/dynamics/systems.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

/// m places where pi is not negligible: the box, half as wide.
Points places(const ItoSystem& system, Index m, std::uint64_t seed) {
  samples::Random random(seed);
  Points points(m, system.dimension);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < system.dimension; ++j) {
      const double middle = 0.5 * (system.box.low[j] + system.box.high[j]);
      const double half = 0.25 * (system.box.high[j] - system.box.low[j]);
      points(i, j) = random.uniform(middle - half, middle + half);
    }
  }
  return points;
}

constexpr double h = 1e-4;

/// d/dx_k of all columns of what `of` gives at the points, by central differences.
template <class Function>
Points slope(const Function& of, const Points& points, Index k) {
  Points up = points, down = points;
  up.col(k).array() += h;
  down.col(k).array() -= h;
  return (of(up) - of(down)) / (2.0 * h);
}

Points matrices_of(const ItoSystem& system, const Points& points) {
  const Diffusion a = diffusion_at(system, points);
  Points all(points.rows(), system.dimension * system.dimension);
  for (Index i = 0; i < points.rows(); ++i) {
    const Points matrix = a.at(i, system.dimension);
    all.row(i) = Eigen::Map<const Points>(matrix.data(), 1, all.cols());
  }
  return all;
}

/// b - A grad log pi - div A: what is left of the drift when the reversible part is taken away.
Points circulation(const ItoSystem& system, const Points& points) {
  const Index n = system.dimension;
  Points rest = drift_at(system, points);
  const Points a = matrices_of(system, points);
  for (Index k = 0; k < n; ++k) {
    const Points log_slope = slope([&](const Points& x) -> Points { return log_target_at(system, x); }, points, k);
    const Points a_slope = slope([&](const Points& x) { return matrices_of(system, x); }, points, k);
    for (Index i = 0; i < n; ++i) {
      rest.col(i) -= a.col(i * n + k).cwiseProduct(log_slope.col(0)) + a_slope.col(i * n + k);
    }
  }
  return rest;
}

/// Central differences of step h, relative to the size of the drift.
double difference_error(const ItoSystem& system, const Points& points) {
  return 1e-4 * (1.0 + drift_at(system, points).cwiseAbs().maxCoeff());
}

TEST(Systems, ReversibleOnesHaveDetailedBalance) {
  for (const auto& info : list_systems()) {
    const ItoSystem system = make_system(info.name);
    const Points points = places(system, 200, 1);
    const double largest = circulation(system, points).cwiseAbs().maxCoeff();
    if (system.reversible) {
      EXPECT_LT(largest, difference_error(system, points)) << info.name;
    } else {
      EXPECT_GT(largest, 0.1) << info.name;
    }
  }
}

// The circulation J of a process with invariant density pi satisfies div(pi J) = 0.
TEST(Systems, TheRotatingOneKeepsItsDensity) {
  const ItoSystem system = make_system("rotating", {.beta = 1.5});
  const Points points = places(system, 200, 2);
  const Points flow = circulation(system, points);
  Vector divergence = Vector::Zero(points.rows());
  for (Index k = 0; k < 2; ++k) {
    const auto log_pi = [&](const Points& x) -> Points { return log_target_at(system, x); };
    divergence += slope([&](const Points& x) { return circulation(system, x); }, points, k).col(k);
    divergence += flow.col(k).cwiseProduct(slope(log_pi, points, k).col(0));
  }
  EXPECT_LT(divergence.cwiseAbs().maxCoeff(), difference_error(system, points));
}

TEST(Systems, BetaScalesTheLogDensity) {
  for (const auto& info : list_systems()) {
    const ItoSystem one = make_system(info.name, {.beta = 1.0}), three = make_system(info.name, {.beta = 3.0});
    const Points points = places(three, 50, 3);
    EXPECT_LT((3.0 * log_target_at(one, points) - log_target_at(three, points)).cwiseAbs().maxCoeff(), 1e-9)
        << info.name;
  }
}

TEST(Systems, NoMassOutsideTheBox) {
  for (const auto& info : list_systems()) {
    const ItoSystem system = make_system(info.name);
    Points inside = places(system, 20000, 4);
    inside.row(0) = system.start.transpose();
    const double highest = log_target_at(system, inside).maxCoeff();
    Points wall = inside;
    samples::Random random(5);
    for (Index i = 0; i < wall.rows(); ++i) {
      for (Index j = 0; j < 2; ++j) {
        wall(i, j) = random.uniform(system.box.low[j], system.box.high[j]);
      }
      const Index j = random.below(2);
      wall(i, j) = random.uniform() < 0.5 ? system.box.low[j] : system.box.high[j];
    }
    EXPECT_LT(log_target_at(system, wall).maxCoeff(), highest - 21.0) << info.name;
    EXPECT_TRUE(system.box.contains({system.start.data(), 2})) << info.name;
  }
}

TEST(Systems, PotentialsOfThePaper) {
  Points points(3, 2);
  points << 1.0, 0.0, 0.0, 0.5, -0.5, 2.0;
  const Vector well = log_target_at(make_system("double-well", {.beta = 6.0}), points);
  EXPECT_NEAR(well[0], 0.0, 1e-14);
  EXPECT_NEAR(well[1], -6.0 * 1.25, 1e-13);
  EXPECT_NEAR(well[2], -6.0 * (0.5625 + 4.0), 1e-12);
  const Vector four = log_target_at(make_system("temperature-switch", {.beta = 2.0}), points);
  EXPECT_NEAR(four[0], -2.0 * (1.0 + std::pow(1.0 + 5.0 * std::exp(-20.0), 2) / 5.0), 1e-12);
  EXPECT_NEAR(four[1], -2.0 * (0.5 + (1.0 + 36.0 / 5.0) * 0.5625), 1e-12);
}

TEST(Systems, OneNumberWhereTheNoiseIsPlain) {
  const Points points = Points::Ones(4, 3);
  EXPECT_EQ(diffusion_at(make_system("ornstein-uhlenbeck", {.dimension = 3}), points).kind(),
            Diffusion::Kind::Constant);
  const Points plane = Points::Ones(4, 2);
  EXPECT_EQ(diffusion_at(make_system("ring"), plane).kind(), Diffusion::Kind::Matrices);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Systems, WhatIsWrongIsNamed) {
  EXPECT_NE(message_of([] { make_system("tripel-well"); }).find("'tripel-well' is unknown; there are double-well,"),
            std::string::npos);
  EXPECT_EQ(message_of([] { make_system("ring", {.beta = 0.0}); }), "beta: 0 is wrong; it must be > 0");
  EXPECT_EQ(message_of([] { make_system("ring", {.dimension = 3}); }), "dimension: 3 is wrong; ring has 2");
  EXPECT_EQ(message_of([] { make_system("ornstein-uhlenbeck", {.dimension = 0}); }),
            "dimension: 0 is wrong; it must be >= 1");
  EXPECT_EQ(message_of([] { drift_at(make_system("ring"), Points::Zero(2, 3)); }),
            "points: 3 coordinates are wrong; the system ring has 2");
  ItoSystem unknown = make_system("ring");
  unknown.log_target = nullptr;
  EXPECT_NE(message_of([&] { log_target_at(unknown, Points::Zero(2, 2)); }), "");
  EXPECT_NE(message_of([] { Box{Vector::Zero(2), Vector::Zero(2)}.validate(2); }), "");
  EXPECT_NE(message_of([] { Box::cube(3, 1.0).validate(2); }), "");
}

}  // namespace
}  // namespace itomap
