// The landmarks engine where it is meant to be used: many coordinates, most of them noise. On a circle of radius 1 all
// is known: lambda_n = -n^2 for the diffusion map with alpha = 1, -A n^2 +- i v n for a process that turns at speed v.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "itomap/blocks/block_map.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap::science_landmarks {

constexpr Index m = 20000;
constexpr double epsilon = 0.01;

struct Circle {
  Points points = 0.05 * samples::normal(m, 12, 31);
  Vector angle = samples::quantile_angles(m, 0.0, 0.0);

  Circle() {
    points.col(0).array() += angle.array().cos();
    points.col(1).array() += angle.array().sin();
  }

  /// Along the circle.
  Points turning(double speed) const {
    Points drift = Points::Zero(m, 12);
    drift.col(0) = -speed * angle.array().sin();
    drift.col(1) = speed * angle.array().cos();
    return drift;
  }
};

const Circle& circle() {
  static const Circle the_circle;
  return the_circle;
}

/// Relative, for lambda_1 to lambda_4.
double largest_difference(const Spectrum& a, const Eigen::VectorXcd& b) {
  return (a.eigenvalues.segment(1, 4).array() / b.segment(1, 4).array() - 1.0).abs().maxCoeff();
}

KernelOptions with(Engine engine) { return {.engine = engine, .landmarks = engine == Engine::Landmarks ? 512 : 0}; }

TEST(Landmarks, CircleInTwelveDimensions) {
  const auto map =
      diffusion_map(circle().points, {.epsilon = epsilon, .alpha = 1.0, .kernel = with(Engine::Landmarks)});
  const Spectrum s = eigenpairs(map, {.count = 4});
  const Eigen::VectorXcd exact =
      (Eigen::VectorXd(5) << 0.0, -1.0, -1.0, -4.0, -4.0).finished().cast<std::complex<double>>();
  EXPECT_LT(largest_difference(s, exact), 0.03);
  EXPECT_LT(map.plan().step_error, 0.02);
  EXPECT_EQ(s.condensed_size, 512);
  EXPECT_LT(s.residuals.maxCoeff(), 1e-9);
  const Spectrum all = eigenpairs(
      diffusion_map(circle().points, {.epsilon = epsilon, .alpha = 1.0, .kernel = with(Engine::Dense)}), {.count = 4});
  EXPECT_LT(largest_difference(s, all.eigenvalues), 0.015);
}

TEST(Landmarks, TargetMeasure) {
  const Vector log_target = circle().angle.array().cos();
  const auto spectrum = [&](Engine engine) {
    return eigenpairs(target_measure_map(circle().points, log_target, {.epsilon = epsilon, .kernel = with(engine)}),
                      {.count = 4});
  };
  const Spectrum dense = spectrum(Engine::Dense);
  const Spectrum s = spectrum(Engine::Landmarks);
  EXPECT_LT(largest_difference(s, dense.eigenvalues), 0.02);
  EXPECT_LT((s.stationary - dense.stationary).lpNorm<1>(), 0.05);
}

TEST(Landmarks, ComplexPairsOfAProcessThatTurns) {
  constexpr double speed = 2.0;
  const auto spectrum = [&](Engine engine) {
    return eigenpairs(local_kernel_map(circle().points, circle().turning(speed), Diffusion::constant(1.0),
                                       {.epsilon = epsilon, .kernel = with(engine)}),
                      {.count = 4});
  };
  const Spectrum s = spectrum(Engine::Landmarks);
  for (const int n : {1, 2}) {
    const std::complex<double> exact(-double(n * n), n * speed);
    const std::complex<double> found = s.eigenvalues[2 * n];
    EXPECT_LT(std::abs(std::complex<double>(found.real(), std::abs(found.imag())) / exact - 1.0), 0.05) << found;
    EXPECT_NEAR(std::abs(s.eigenvalues[2 * n - 1] - std::conj(found)), 0.0, 1e-6);
  }
  EXPECT_GT(s.condensed_size, 0);
  EXPECT_LT(s.left_residuals.maxCoeff(), 1e-9);
  const Spectrum dense = spectrum(Engine::Dense);
  for (Index n = 1; n < 5; ++n) {
    const auto found = std::complex<double>(s.eigenvalues[n].real(), std::abs(s.eigenvalues[n].imag()));
    const auto expected = std::complex<double>(dense.eigenvalues[n].real(), std::abs(dense.eigenvalues[n].imag()));
    EXPECT_LT(std::abs(found / expected - 1.0), 0.02) << found << ' ' << expected;
  }
}

/// More points than the sample that landmarks come from in blocks: other landmarks than in memory, and as right.
TEST(Landmarks, PointsInBlocks) {
  constexpr Index many = 60000;
  for (const std::uint64_t seed : {41, 42, 43}) {
    Points points = 0.05 * samples::normal(many, 12, seed);
    const Vector angle = samples::quantile_angles(many, 0.0, 0.0);
    points.col(0).array() += angle.array().cos();
    points.col(1).array() += angle.array().sin();
    MapDefinition d;
    d.epsilon = epsilon;
    d.alpha = 1.0;
    d.kernel = with(Engine::Landmarks);
    const BlockOutcome blocks =
        map_in_blocks({.definition = d, .points = Trajectory(points)}, {.eigenpairs = {.count = 4}});
    d.points = points;
    const Map map = make_map(d);
    const Spectrum memory = eigenpairs(map, {.count = 4});
    // Rates are off by 0.3 to 0.7 of the step error, whichever the landmarks.
    EXPECT_LT(map.plan().step_error, 0.02);
    EXPECT_LT(largest_difference(blocks.spectrum, memory.eigenvalues), 1.4 * map.plan().step_error);
    const Eigen::VectorXcd exact =
        (Eigen::VectorXd(5) << 0.0, -1.0, -1.0, -4.0, -4.0).finished().cast<std::complex<double>>();
    EXPECT_LT(largest_difference(blocks.spectrum, exact), 0.03);
  }
}

}  // namespace itomap::science_landmarks
