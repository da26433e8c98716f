// Gaussian samples at a small epsilon: with one width for all, points of the tail are slow modes of their own; with a
// variable one the process comes out, and what outliers remain are flagged.
//
// Smoothing a Gaussian density by epsilon narrows the drift by 4 epsilon for each degree of an eigenfunction, and the
// kernel smooths once more: 10 epsilon a degree in all. An Euler step adds epsilon |lambda|^2 / 2, with a mean of rho^2
// that is less than 2.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap::science_variable_bandwidth {

constexpr Index m = 4000;
constexpr double epsilon = 0.02;
constexpr VariableBandwidth half{.strength = 0.5};

class VariableBandwidthScience : public testing::TestWithParam<std::uint64_t> {
 protected:
  Points x = samples::normal(m, 2, GetParam());

  /// -x, turning by two radians a unit of time: eigenvalues -1 +- 2i, -2, -2 +- 4i.
  Points drift() const {
    Points b = -x;
    b.col(0) -= 2.0 * x.col(1);
    b.col(1) += 2.0 * x.col(0);
    return b;
  }

  Spectrum rotating(const VariableBandwidth& bandwidth) const {
    const auto map = local_kernel_map(x, drift(), Diffusion::constant(1.0),
                                      {.epsilon = epsilon, .bandwidth = bandwidth, .keep_traps = true});
    return eigenpairs(map, {.count = 5});
  }
};

TEST_P(VariableBandwidthScience, FixedWidthFindsOutliers) {
  const Spectrum s = rotating({});
  EXPECT_TRUE(s.is_spurious(1));
}

TEST_P(VariableBandwidthScience, RotatingProcess) {
  const Spectrum s = rotating(half);
  const std::complex<double> exact[] = {{-1, 2}, {-1, -2}, {-2, 0}, {-2, 4}, {-2, -4}};
  for (Index n = 1; n <= 5; ++n) {
    EXPECT_FALSE(s.is_spurious(n)) << n;
    const auto wanted = exact[n - 1];
    const double budget = epsilon * (10.0 * std::abs(wanted.real()) + std::norm(wanted));
    EXPECT_LT(std::abs(s.eigenvalues[n] - wanted), budget) << n;
  }
}

TEST_P(VariableBandwidthScience, ReversibleProcess) {
  const Vector log_pi = -0.5 * x.rowwise().squaredNorm();
  const auto map = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half});
  const Spectrum s = eigenpairs(map, {.count = 3});
  std::vector<double> found;
  for (Index n = 1; n < s.eigenvalues.size(); ++n) {
    if (!s.is_spurious(n)) {
      found.push_back(s.eigenvalues[n].real());
    }
  }
  ASSERT_GE(found.size(), 2U);
  EXPECT_NEAR(found[0], -1.0, 0.05);
  EXPECT_NEAR(found[1], -1.0, 0.05);
}

// kappa = lambda - lambda^2 t / 2 where the kernel resolves a mode, t the mean of epsilon rho^2 there; far below lambda
// where it does not.
TEST_P(VariableBandwidthScience, TheTwoFormulasTellWhetherEpsilonIsSmall) {
  const Vector log_pi = -0.5 * x.rowwise().squaredNorm();
  const auto ratio = [&](double scale) {
    const auto map = target_measure_map(x, log_pi, {.epsilon = scale, .bandwidth = half});
    const Spectrum s = eigenpairs(map, {.count = 3});
    Index n = 1;
    while (s.is_spurious(n)) {
      ++n;
    }
    return s.rates_log[n] / s.eigenvalues[n].real();
  };
  EXPECT_LT(ratio(0.02), 1.05);
  EXPECT_GT(ratio(0.05), 1.03);
  EXPECT_GT(ratio(0.1), 1.1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, VariableBandwidthScience, testing::Values(1, 2, 3));

}  // namespace itomap::science_variable_bandwidth
