#include "spectrum/log_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using Complex = std::complex<double>;

/// Two modes, the second one complex, on two points.
Spectrum two_modes(Complex first, Complex second) {
  Spectrum s;
  s.eigenvalues = Eigen::Vector2cd(first, second);
  s.stationary = Eigen::Vector2d(0.25, 0.75);
  s.eigenfunctions.re = Block::Ones(2, 2);
  s.eigenfunctions.re(1, 1) = 2.0;
  s.eigenfunctions.im = Block::Zero(2, 2);
  s.left_eigenfunctions.re = s.stationary.asDiagonal() * s.eigenfunctions.re;
  s.left_eigenfunctions.im = Block::Zero(2, 2);
  return s;
}

Generator with_bandwidth(double epsilon, const Vector& rho) {
  Generator g;
  g.epsilon = epsilon;
  g.bandwidth = rho;
  return g;
}

TEST(LogRates, OneTimeForAllIsTheLogarithm) {
  const Complex lambda(-1.5, 2.0);
  const Vector rates = log_rates(with_bandwidth(0.1, Vector::Constant(2, 1.5)), two_modes(-1.0, lambda));
  const double t = 0.1 * 1.5 * 1.5;
  EXPECT_NEAR(rates[0], std::log(1.0 - t) / t, 1e-13);
  EXPECT_NEAR(rates[1], std::log(std::abs(1.0 + t * lambda)) / t, 1e-13);
}

TEST(LogRates, DifferentTimesCountWithTheWeightOfTheMode) {
  const Vector rho = Eigen::Vector2d(0.5, 2.0);
  const Vector rates = log_rates(with_bandwidth(0.02, rho), two_modes(-1.0, -1.0));
  const auto lambda_of = [&](double kappa, double first_weight) {
    const double t0 = 0.02 * 0.25;
    const double t1 = 0.02 * 4.0;
    return first_weight * std::expm1(kappa * t0) / t0 + (1.0 - first_weight) * std::expm1(kappa * t1) / t1;
  };
  EXPECT_NEAR(lambda_of(rates[0], 0.25), -1.0, 1e-12);
  EXPECT_NEAR(lambda_of(rates[1], 0.25 / 3.25), -1.0, 1e-12);
}

TEST(LogRates, AModeThatDecaysWithinAStepHasNone) {
  const Vector rates = log_rates(with_bandwidth(1.0, Vector::Ones(2)), two_modes(0.0, -1.0));
  EXPECT_EQ(rates[0], 0.0);
  EXPECT_EQ(rates[1], -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace itomap
