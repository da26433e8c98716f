// Averages over a Gaussian from a sample of another one, off centre and too wide: error bars cover the truth as often
// as they should, and are no wider than they have to be.
//
// The extrapolated means have a noise of their own and a rest of the bias of order epsilon^3. If the bars are right,
// z = (mean - truth) / bar has a mean square of 1; over 40 independent samples it is known to (2 / 40)^1/2 = 0.22, and
// bars out of ten blocks are themselves uncertain by a quarter, which makes it 1.2. Between 1/2 and 2 is asked.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/analysis/average.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap::science_averages {

TEST(Averages, ErrorBarsOfTheMomentsOfAGaussianAreOfTheRightSize) {
  constexpr int draws = 40;
  const Eigen::Array3d truth(0.0, 1.0, std::exp(-0.5));
  Eigen::Array3d square = Eigen::Array3d::Zero();
  double widest = 0.0;
  int off_sample = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const Vector x = (1.4 * samples::normal(1000, 1, std::uint64_t(500 + draw)).col(0).array() + 0.3).matrix();
    const auto map = target_measure_map(x, -0.5 * x.cwiseAbs2(), {.epsilon = 0.01});
    Points moments(1000, 3);
    moments << x, x.cwiseAbs2(), x.array().cos().matrix();
    const auto average = expectation(map, eigenpairs(map, {.count = 2}), moments);
    const Eigen::Array3d bar = average.extrapolated_error.array();
    square += ((average.extrapolated.array() - truth) / bar).square() / draws;
    widest = std::max(widest, bar[1]);
    off_sample += std::abs(x.cwiseAbs2().mean() - 1.0) > 3.0 * bar[1] ? 1 : 0;
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_GT(square[k], 0.5) << "bars are too wide for observable " << k;
    EXPECT_LT(square[k], 2.0) << "bars are too narrow for observable " << k;
  }
  EXPECT_LT(widest, 0.06) << "importance sampling from as many independent draws";
  EXPECT_GE(off_sample, draws - 2) << "the plain mean of the sample is wrong by more";
}

}  // namespace itomap::science_averages
