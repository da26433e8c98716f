#include "reproduce/molecule_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

/// The same drift and diffusion everywhere: b = (1, 2), A = diag(4, 1).
DynamicsEstimate everywhere(Index points) {
  DynamicsEstimate estimate;
  estimate.points = samples::normal(points, 2, 1);
  estimate.drift = Points::Ones(points, 2);
  estimate.drift.col(1) *= 2.0;
  estimate.diffusion = Points::Zero(points, 4);
  estimate.diffusion.col(0).setConstant(4.0);
  estimate.diffusion.col(3).setOnes();
  return estimate;
}

TEST(MoleculeMap, LengthIsTheLeastStandardDeviationOfBothKernels) {
  const double lag = 0.05, length = 0.01;
  const auto blur = Blur::of_length(length, lag);
  EXPECT_DOUBLE_EQ(std::sqrt(2 * blur.density_epsilon.value()), length);
  EXPECT_DOUBLE_EQ(std::sqrt(2 * lag * blur.eta), length);
}

TEST(MoleculeMap, DriftOfTheBlurredProcessGrowsWithItsDiffusion) {
  const auto estimate = everywhere(3);
  EXPECT_NEAR(slow_diffusion(estimate)[2], 4.0, 1e-12);
  const auto hotter = drift_of_blurred(estimate, 2.0);
  EXPECT_NEAR(hotter.drift(1, 0), 1.5, 1e-12);  // (4 + 2) / 4
  EXPECT_NEAR(hotter.drift(1, 1), 2.0, 1e-12);  // the other direction stays
}

TEST(MoleculeMap, ThinnedKeepsRowsTogether) {
  auto estimate = everywhere(10);
  estimate.drift.col(0) = estimate.points.col(0);
  const auto some = thinned(estimate, 4);
  ASSERT_EQ(some.points.rows(), 4);
  EXPECT_EQ(some.points.row(1), estimate.points.row(2));
  EXPECT_EQ(some.drift.col(0), some.points.col(0));
  EXPECT_EQ(thinned(estimate, 99).points.rows(), 10);
}

}  // namespace
}  // namespace itomap::reproduce
