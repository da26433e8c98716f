#include "itomap/dynamics/planar_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

/// Ornstein-Uhlenbeck with rates 1 along x and 1.6 along y: eigenfunctions are products of Hermite polynomials.
double log_gauss(std::span<const double> x) { return -0.5 * x[0] * x[0] - 0.8 * x[1] * x[1]; }

PlanarReference gauss_reference(Index count, int threads = 0) {
  return planar_reference(
      log_gauss, Box::cube(2, 6.0),
      {.count = count, .accuracy = 1e-3, .cells = 64, .max_cells = 128, .execution = {.threads = threads}});
}

TEST(PlanarReference, RatesOfALinearProcess) {
  const double expected[] = {0.0, -1.0, -1.6, -2.0, -2.6, -3.0, -3.2};
  const auto reference = gauss_reference(6);
  EXPECT_TRUE(reference.converged);
  for (Index n = 0; n < 7; ++n) {
    EXPECT_NEAR(reference.eigenvalues[n], expected[n], 1e-3 * std::abs(expected[n])) << n;
    EXPECT_LE(std::abs(reference.eigenvalues[n] - expected[n]), 1.01 * reference.errors[n]) << n;
    EXPECT_DOUBLE_EQ(reference.timescales[n], n == 0 ? INFINITY : -1.0 / reference.eigenvalues[n]);
  }
}

TEST(PlanarReference, EigenfunctionsOfALinearProcessAlsoInTheTail) {
  const auto reference = planar_reference(log_gauss, Box::cube(2, 6.0), {.count = 4, .cells = 128, .max_cells = 128});
  samples::Random random(1);
  Points points(300, 2);
  for (Index i = 0; i < 300; ++i) {
    points.row(i) << random.uniform(-3, 3), random.uniform(-3, 3);
  }
  const Block psi = reference.at(points);
  const Vector x = points.col(0), y = std::sqrt(1.6) * points.col(1);
  const Vector square = (x.cwiseAbs2().array() - 1.0) / std::sqrt(2.0);
  // Off by (h |grad log pi|)^2 / 24, relative to the largest value: h = 0.094, gradient 4.8; pi is e^-11.7 in the
  // corners.
  const double tolerance = 1e-2;
  EXPECT_LT((psi.col(0) - Vector::Ones(300)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((psi.col(1) - x).cwiseAbs().maxCoeff(), tolerance * x.maxCoeff());
  EXPECT_LT((psi.col(2) - y).cwiseAbs().maxCoeff(), tolerance * y.maxCoeff());
  // Largest with sqrt(pi) at the tails of both signs of x, or at x = 0: only the sign is open.
  const double sign = psi.col(3).dot(square) > 0 ? 1.0 : -1.0;
  EXPECT_LT((sign * psi.col(3) - square).cwiseAbs().maxCoeff(), tolerance * square.maxCoeff());
}

TEST(PlanarReference, RepeatedEigenvaluesComeInFull) {
  const auto log_pi = [](std::span<const double> x) { return -0.5 * (x[0] * x[0] + x[1] * x[1]); };
  const auto reference = planar_reference(log_pi, Box::cube(2, 6.0), {.count = 9, .accuracy = 2e-3});
  const double expected[] = {0, -1, -1, -2, -2, -2, -3, -3, -3, -3};
  for (Index n = 0; n < 10; ++n) {
    EXPECT_NEAR(reference.eigenvalues[n], expected[n], 4e-3) << n;
  }
}

TEST(PlanarReference, CosinesWithoutAPotential) {
  const auto flat = [](std::span<const double>) { return 3.0; };
  Box box = Box::cube(2, 1.0);
  box.high[0] = 2.0;  // 3 x 2
  const auto reference = planar_reference(flat, box, {.count = 3});
  const double rate = std::pow(M_PI / 3.0, 2);
  EXPECT_NEAR(reference.eigenvalues[1], -rate, 1e-5);
  EXPECT_NEAR(reference.eigenvalues[2], -2.25 * rate, 1e-5);
  EXPECT_NEAR(reference.eigenvalues[3], -3.25 * rate, 1e-5);
  Points points(2, 2);
  points << 2.0, 0.3, 0.5, -1.0;
  const Block psi = reference.at(points);
  EXPECT_NEAR(psi(0, 1), std::sqrt(2.0), 1e-3);  // positive on the right
  EXPECT_NEAR(psi(1, 1), 0.0, 1e-3);
}

TEST(PlanarReference, UnitMeanSquareAndSignOnTheRight) {
  const auto system = make_system("double-well", {.beta = 6.0});
  const auto reference = planar_reference(system.log_target, system.box, {.count = 2, .max_cells = 64});
  double mass = 0.0, square = 0.0;
  for (Index i = 0; i < reference.x.size(); ++i) {
    for (Index j = 0; j < reference.y.size(); ++j) {
      const double place[] = {reference.x[i], reference.y[j]};
      const double pi = std::exp(system.log_target(place));
      mass += pi;
      square += pi * std::pow(reference.eigenfunctions(i * reference.y.size() + j, 1), 2);
    }
  }
  EXPECT_NEAR(square / mass, 1.0, 1e-6);
  Points points(1, 2);
  points << 1.0, 0.0;
  EXPECT_NEAR(reference.at(points)(0, 1), 1.0, 0.02);
}

// pi is e^-900 in the corners: with u = sqrt(pi) psi of rounding size there, psi would be anything.
TEST(PlanarReference, CleanWherePiVanishes) {
  const auto system = make_system("double-well", {.beta = 6.0});
  const auto reference = planar_reference(system.log_target, Box::cube(2, 3.5), {.count = 1, .max_cells = 64});
  EXPECT_LT(reference.eigenfunctions.col(1).cwiseAbs().maxCoeff(), 1.05);
  const auto steep = make_system("double-well", {.beta = 60.0});
  const auto extreme = planar_reference(steep.log_target, Box::cube(2, 3.5), {.count = 1, .max_cells = 64});
  EXPECT_TRUE(extreme.eigenfunctions.allFinite());
}

TEST(PlanarReference, OutsideTheBoxTheNearestPointCounts) {
  const auto reference = gauss_reference(2);
  Points outside(2, 2), nearest(2, 2);
  outside << 9.0, 1.0, -7.0, -8.0;
  nearest << 6.0, 1.0, -6.0, -6.0;
  EXPECT_EQ(reference.at(outside), reference.at(nearest));
}

TEST(PlanarReference, SameBitsForAnyNumberOfThreads) {
  const auto one = gauss_reference(3, 1), three = gauss_reference(3, 3);
  EXPECT_EQ(one.eigenvalues, three.eigenvalues);
  EXPECT_EQ(one.eigenfunctions, three.eigenfunctions);
}

TEST(PlanarReference, SaysWhenTheGridIsTooCoarse) {
  const auto reference =
      planar_reference(log_gauss, Box::cube(2, 6.0), {.count = 3, .accuracy = 1e-9, .cells = 32, .max_cells = 32});
  EXPECT_FALSE(reference.converged);
  EXPECT_EQ(reference.x.size(), 33);
}

std::string message_of(const LogDensity& log_target, const Box& box, const PlanarOptions& options) {
  try {
    planar_reference(log_target, box, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(PlanarReference, WhatIsWrongIsNamed) {
  const Box box = Box::cube(2, 1.0);
  EXPECT_EQ(message_of(log_gauss, box, {.count = 0}), "count: 0 is wrong; it must be >= 1");
  EXPECT_EQ(message_of(log_gauss, box, {.cells = 31}), "cells: 31 is wrong; it must be even and >= 8");
  EXPECT_EQ(message_of(log_gauss, box, {.max_cells = 8}), "max_cells: 8 is wrong; cells is 64");
  EXPECT_EQ(message_of(log_gauss, box, {.accuracy = 0.0}), "accuracy: 0 is wrong; it must be > 0");
  EXPECT_TRUE(message_of(log_gauss, box, {.count = 10, .cells = 8}).starts_with("count: 10 is too many"));
  EXPECT_TRUE(message_of(log_gauss, Box::cube(3, 1.0), {}).starts_with("box:"));
  const auto broken = [](std::span<const double> x) { return std::log(x[0]); };
  EXPECT_TRUE(message_of(broken, box, {}).starts_with("log_target:"));
  const auto reference = gauss_reference(1);
  EXPECT_THROW(reference.at(Points::Zero(1, 3)), InvalidArgument);
  EXPECT_THROW(reference.at(Points::Constant(1, 2, NAN)), InvalidArgument);
}

}  // namespace
}  // namespace itomap
