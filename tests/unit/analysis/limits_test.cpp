#include "analysis/limits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// v(eps) = a + b eps^p + c eps^2p + d eps^3p at 1, 2 and 4.
struct Series {
  double a, b, c, d, p;
  double at(std::size_t scale) const {
    const double x = std::pow(scale_factors[scale], p);
    return a + b * x + c * x * x + d * x * x * x;
  }
};

/// Without noise: every replicate is the whole.
ReplicatedValues exact(const Series& s, std::size_t blocks = 5) {
  ReplicatedValues values;
  for (std::size_t k = 0; k < scale_count; ++k) {
    values.all[k] = Vector::Constant(1, s.at(k));
    values.without[k].assign(blocks, values.all[k]);
  }
  return values;
}

LimitValues limit_of(const ReplicatedValues& values, double p) {
  return limits_of(values, Extrapolation::in_powers_of(p), Vector::Ones(values.all[0].size()));
}

TEST(Limits, TwoPowersAreRemoved) {
  for (const double p : {1.0, 0.5}) {
    const LimitValues l = limit_of(exact({.a = 3.0, .b = 0.4, .c = -0.02, .d = 0.0, .p = p}), p);
    EXPECT_NEAR(l.limit[0], 3.0, 1e-13) << p;
    EXPECT_NEAR(l.noise[0], 0.0, 1e-13);
    EXPECT_FALSE(l.no_limit[0]);
  }
}

TEST(Limits, TheFirstStepRemovesOne) {
  EXPECT_NEAR(limit_of(exact({3.0, 0.4, 0.0, 0.0, 1.0}), 1.0).first[0], 3.0, 1e-13);
  EXPECT_NEAR(limit_of(exact({3.0, 0.4, 0.0, 0.0, 0.5}), 0.5).first[0], 3.0, 1e-13);
}

TEST(Limits, CoefficientsInGeometricProgressionAreCovered) {
  // 1 / (1 - q x): what is left is about the third power, and the estimate of it as large.
  for (const double p : {1.0, 0.5}) {
    for (const double q : {-0.05, 0.02, 0.05}) {
      const LimitValues l = limit_of(exact({1.0, q, q * q, q * q * q, p}), p);
      const double missed = std::abs(l.limit[0] - 1.0);
      EXPECT_GT(l.error[0], 0.5 * missed) << p << " " << q;
      // Not by much: a sixteenth of the first step is the least that is allowed for.
      EXPECT_LT(l.error[0], 3.0 * missed + 0.08 * std::abs(q)) << p << " " << q;
    }
  }
}

TEST(Limits, StepsThatGrowHaveNoLimit) {
  const LimitValues l = limit_of(exact({1.0, 0.02, 0.2, 0.1, 1.0}), 1.0);
  EXPECT_TRUE(l.no_limit[0]);
  EXPECT_GT(l.error[0], std::abs(l.limit[0] - l.first[0]));
  EXPECT_FALSE(limit_of(exact({1.0, 0.0002, 0.002, 0.001, 1.0}), 1.0).no_limit[0]) << "small steps are no matter";
}

/// A mean of squares of means: its bias falls like 1 / m, its noise like m^-1/2.
ReplicatedValues sampled(Index m, std::size_t blocks, std::uint64_t seed) {
  const Vector x = samples::normal(m, 1, seed).col(0).array() + 1.0;
  const auto statistic = [&](const Vector& sum, double count) { return Vector(sum.cwiseAbs2() / (count * count)); };
  ReplicatedValues values;
  const Vector whole = Vector::Constant(1, x.sum());
  for (std::size_t k = 0; k < scale_count; ++k) {
    values.all[k] = statistic(whole, double(m));
    for (std::size_t b = 0; b < blocks; ++b) {
      const Index size = m / Index(blocks);
      values.without[k].push_back(
          statistic(whole - Vector::Constant(1, x.segment(Index(b) * size, size).sum()), double(m - size)));
    }
  }
  return values;
}

TEST(Limits, HaveTheNoiseOfRepeatedSamplesAndNoBiasOfFewPoints) {
  // The square of the mean of n = 40 numbers of mean 1 and variance 1: variance 4 / n, bias 1 / n.
  constexpr Index m = 40;
  constexpr int draws = 4000;
  double sum = 0.0;
  double z2 = 0.0;
  double raw = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const ReplicatedValues values = sampled(m, 10, std::uint64_t(draw));
    const LimitValues l = limit_of(values, 1.0);
    raw += (values.all[0][0] - 1.0) / draws;
    sum += (l.limit[0] - 1.0) / draws;
    z2 += std::pow((l.limit[0] - 1.0) / l.error[0], 2) / draws;
  }
  const double uncertain = std::sqrt(4.0 / double(m) / draws);
  EXPECT_NEAR(raw, 1.0 / double(m), 5.0 * uncertain);
  EXPECT_NEAR(sum, 0.0, 5.0 * uncertain);
  // Ten blocks: z is Student's with 9 degrees of freedom, of variance 9/7, and the square of a mean is not quite
  // linear.
  EXPECT_NEAR(z2, 9.0 / 7.0, 0.25);
}

TEST(Limits, ReplicatesThatDoNotKnowANumberAreLeftOut) {
  ReplicatedValues values = sampled(40, 10, 1);
  const LimitValues all = limit_of(values, 1.0);
  for (std::size_t k = 0; k < scale_count; ++k) {
    values.without[k][3][0] = std::numeric_limits<double>::quiet_NaN();
  }
  const LimitValues some = limit_of(values, 1.0);
  EXPECT_NEAR(some.error[0] / all.error[0], 1.0, 0.3);
  for (std::size_t k = 0; k < scale_count; ++k) {
    for (Vector& replicate : values.without[k]) {
      replicate[0] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  EXPECT_TRUE(std::isnan(limit_of(values, 1.0).error[0]));
}

}  // namespace
}  // namespace itomap
