// Averages over a Gaussian from a sample of another one, off centre and too wide.
//
// TMDmap multiplies the target's standard deviation by 1 + O(epsilon): at epsilon = 0.01 the second moment is off by
// less than 0.01, against an error bar of (2 / n)^1/2 = 0.06 for n = 600 effective points: the error bar must cover the
// truth.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/analysis/average.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

TEST(Averages, ThreeStandardErrorsCoverTheMomentsOfAGaussian) {
  constexpr int draws = 100;
  Eigen::Array3i covered = Eigen::Array3i::Zero();
  double widest = 0.0, off_sample = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const Vector x = (1.4 * samples::normal(1000, 1, std::uint64_t(500 + draw)).col(0).array() + 0.3).matrix();
    const auto map = target_measure_map(x, -0.5 * x.cwiseAbs2(), {.epsilon = 0.01});
    Points moments(1000, 3);
    moments << x, x.cwiseAbs2(), x.array().cos().matrix();
    const auto average = expectation(map.stationary(), moments);
    const Eigen::Array3d truth(0.0, 1.0, std::exp(-0.5));
    const Eigen::Array3d error = (average.mean.array() - truth).abs();
    covered += (error <= 3.0 * average.standard_error.array()).cast<int>();
    widest = std::max(widest, average.standard_error[1]);
    off_sample += std::abs(x.cwiseAbs2().mean() - 1.0) > 3.0 * average.standard_error[1] ? 1.0 : 0.0;
  }
  EXPECT_GE(covered.minCoeff(), 95) << covered.transpose();
  EXPECT_LT(widest, 0.12) << "an error bar that covers everything says nothing";
  EXPECT_GE(off_sample, 95) << "the plain mean of the sample is wrong by more";
}

}  // namespace
}  // namespace itomap
