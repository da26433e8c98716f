// Error bars on the separable double well, whose spectrum is known: the noise of the jackknife is that of repeated
// samples, extrapolation halves the error of the smallest scale, and the bars cover the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"

namespace itomap::science_error_bars {

constexpr double beta = 2.0;
constexpr Index modes = 9;
constexpr int seeds = 10;

/// Independent points of exp(-U), |x|, |y| < 2.5.
Points well_points(Index m, std::uint64_t seed) {
  samples::Random random(seed);
  Points x(m, 2);
  for (Index i = 0; i < m;) {
    x(i, 0) = random.uniform(-2.5, 2.5);
    x(i, 1) = random.uniform(-2.5, 2.5);
    const double potential = std::pow(x(i, 0) * x(i, 0) - 1.0, 2) + x(i, 1) * x(i, 1);
    i += random.uniform() < std::exp(-potential) ? 1 : 0;
  }
  return x;
}

struct Sample {
  Vector lambda;
  ErrorBars bars;
};

std::vector<Sample> repeated_samples() {
  constexpr Index m = 20000;
  constexpr double epsilon = 0.01;
  std::vector<Sample> all;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Points points = well_points(m, std::uint64_t(seed));
    const Map map = target_measure_map(points, exact::DoubleWell(beta).log_invariant(points), {.epsilon = epsilon});
    const Spectrum s = eigenpairs(map, {.count = modes});
    all.push_back({s.eigenvalues.real().head(modes + 1), error_bars(map, s, {.blocks = 4})});
  }
  return all;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void check_errors_and_coverage(const std::vector<Sample>& all) {
  const Vector exact = exact::DoubleWell(beta).spectrum(modes + 1);

  std::vector<double> plain;
  std::vector<double> extrapolated;
  Vector covered = Vector::Zero(modes + 1);
  for (const Sample& sample : all) {
    double worst_plain = 0.0;
    double worst_limit = 0.0;
    for (Index n = 1; n <= modes; ++n) {
      const double limit = sample.bars.extrapolated[n].real();
      worst_plain = std::max(worst_plain, std::abs(sample.lambda[n] / exact[n] - 1.0));
      worst_limit = std::max(worst_limit, std::abs(limit / exact[n] - 1.0));
      covered[n] += std::abs(limit - exact[n]) <= sample.bars.extrapolated_error[n].real() ? 1.0 : 0.0;
    }
    plain.push_back(worst_plain);
    extrapolated.push_back(worst_limit);
  }
  EXPECT_LE(median(extrapolated), 0.3 * median(plain));
  // Three degrees of freedom, those of four blocks, are within one bar in 0.61 of all cases; of 90 numbers of which
  // some 40 are independent, that is known to 0.08.
  EXPECT_GE(covered.sum(), 0.5 * seeds * modes) << covered.transpose();
}

void check_noise(const std::vector<Sample>& all) {
  for (Index n = 1; n <= 3; ++n) {
    double mean = 0.0;
    for (const Sample& sample : all) {
      mean += sample.lambda[n] / seeds;
    }
    double variance = 0.0;
    double predicted = 0.0;
    for (const Sample& sample : all) {
      variance += std::pow(sample.lambda[n] - mean, 2) / (seeds - 1);
      predicted += std::pow(sample.bars.noise[n].real(), 2) / seeds;
    }
    // chi^2 with 9 degrees of freedom on either side: within a factor of 2.5 in the standard deviation.
    EXPECT_GT(predicted, variance / 6.25) << n;
    EXPECT_LT(predicted, variance * 6.25) << n;
  }
}

// One test, because the samples are what takes long.
TEST(ErrorBars, HalveTheErrorCoverTheTruthAndHaveTheNoiseOfRepeatedSamples) {
  const auto all = repeated_samples();
  check_errors_and_coverage(all);
  check_noise(all);
}

}  // namespace itomap::science_error_bars
