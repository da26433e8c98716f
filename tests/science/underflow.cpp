// Where exp(-beta U) is e^-148 and less, and where an Euler step leaves the data: finite, right, and said so.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"

namespace itomap::science_underflow {

bool all_finite(const Spectrum& s) {
  return s.eigenvalues.allFinite() && s.eigenfunctions.re.allFinite() && s.eigenfunctions.im.allFinite() &&
         s.left_eigenfunctions.re.allFinite() && s.left_eigenfunctions.im.allFinite() && s.stationary.allFinite() &&
         s.rates_log.allFinite();
}

/// Uniform in a box that reaches far up the walls of the double well: beta U = 148 and more in its corners.
Points tall_box(Index m, std::uint64_t seed) {
  samples::Random random(seed);
  Points x(m, 2);
  for (Index i = 0; i < m; ++i) {
    x.row(i) << random.uniform(-2.45, 2.45), random.uniform(-1.2, 1.2);
  }
  return x;
}

TEST(Underflow, SlowModeOfTheColdDoubleWellIsRightInTheTails) {
  const exact::DoubleWell well(6.0);
  const exact::SlowMode psi(6.0);
  const Points x = tall_box(6000, 1);
  const Vector log_pi = well.log_invariant(x);
  ASSERT_LT(log_pi.minCoeff(), -148.0);
  const auto map = target_measure_map(x, log_pi, {.epsilon = 0.004});
  const Spectrum s = eigenpairs(map, {.count = 1});
  ASSERT_TRUE(all_finite(s));
  const double sign = x.col(0).dot(s.eigenfunctions.col(1)) > 0.0 ? 1.0 : -1.0;
  Index tail_points = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    // psi_1 runs from -1 to 1 over the saddle; noise there is the largest.
    const double error = std::abs(sign * s.eigenfunctions.re(i, 1) - psi(x(i, 0)));
    EXPECT_LT(error, 0.15) << x.row(i);
    if (log_pi[i] < -100.0) {
      ++tail_points;
      EXPECT_LT(error, 0.03) << x.row(i);
    }
  }
  EXPECT_GT(tail_points, 100);
}

TEST(Underflow, TargetsBelowTheSmallestDoubleAreReported) {
  const exact::DoubleWell well(400.0);  // beta U up to 10000
  const Points x = tall_box(1500, 2);
  const auto map = target_measure_map(x, well.log_invariant(x), {.epsilon = 0.02});
  EXPECT_GT(map.diagnostics().underflow_points, 0);
  EXPECT_FALSE(map.diagnostics().warnings.empty());
  EXPECT_TRUE(all_finite(eigenpairs(map, {.count = 4})));
}

TEST(Underflow, EulerStepThatLeavesTheDataIsReported) {
  const Points x = samples::skewed_ball(600, 2, 3.0, 3);
  Points drift = -x;
  drift.row(17) << 1e5, -2e5;
  for (const Engine engine : {Engine::Sparse, Engine::Dense}) {
    const auto map =
        local_kernel_map(x, drift, Diffusion::constant(1.0), {.epsilon = 0.05, .kernel = {.engine = engine}});
    EXPECT_EQ(map.diagnostics().stranded_points, 1);
    ASSERT_FALSE(map.diagnostics().warnings.empty());
    EXPECT_TRUE(map.backward(x.col(0)).allFinite());
    EXPECT_TRUE(map.forward(x.col(0)).allFinite());
    EXPECT_TRUE(all_finite(eigenpairs(map, {.count = 4})));
  }
}

TEST(Underflow, LoneOutlierIsReportedAndFlagged) {
  Points x = samples::skewed_ball(600, 2, 3.0, 4);
  x.row(5) << 40.0, 40.0;
  const auto map = local_kernel_map(x, Points::Zero(600, 2), Diffusion::constant(1.0), {.epsilon = 0.05});
  EXPECT_EQ(map.diagnostics().isolated_points, 1);
  EXPECT_EQ(map.diagnostics().components, 2);
  const Spectrum s = eigenpairs(map, {.count = 4});
  EXPECT_TRUE(all_finite(s));
  EXPECT_TRUE(s.is_spurious(1));
}

}  // namespace itomap::science_underflow
