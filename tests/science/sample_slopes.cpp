// Sampling noise: the pointwise error falls like m^-1/2, and grows as epsilon shrinks like
//
//   epsilon^(-1/2 - d/4)   for the backward L: f(x_j) - f(x_i) is small for neighbours, and the noise with it
//   epsilon^(-1 - d/4)     for the forward L*: the noise of the density estimate is not multiplied by a difference
//
// on a circle, d = 1, with epsilon so small that the bias does not show. Medians over five seeds.
#include <gtest/gtest.h>

#include <vector>

#include "support/statistics.hpp"
#include "support/torus_case.hpp"

namespace itomap::science_sample_slopes {

using exact::Construction;

double noise(Construction construction, Index m, double epsilon) {
  static const exact::TorusCase problem = exact::circle_case();
  return statistics::median_over_seeds([&](std::uint64_t seed) {
    const Points points = problem.sample(m, seed);
    return statistics::root_mean_square(problem.computed(construction, points, epsilon, epsilon) -
                                        problem.limit(construction, points));
  });
}

class SampleSlope : public testing::TestWithParam<Construction> {};

TEST_P(SampleSlope, InTheNumberOfPoints) {
  std::vector<double> sizes, errors;
  for (const Index m : {1000, 2000, 4000, 8000}) {
    sizes.push_back(double(m));
    errors.push_back(noise(GetParam(), m, 0.002));
  }
  const double slope = statistics::log_log_slope(sizes, errors);
  EXPECT_GT(slope, -0.65);
  EXPECT_LT(slope, -0.35);
}

TEST_P(SampleSlope, InEpsilon) {
  std::vector<double> epsilons{0.001, 0.002, 0.004, 0.008}, errors;
  for (const double epsilon : epsilons) {
    errors.push_back(noise(GetParam(), 4000, epsilon));
  }
  const bool forward = GetParam() == Construction::TargetForward || GetParam() == Construction::BiasedForward ||
                       GetParam() == Construction::LocalForward;
  EXPECT_NEAR(statistics::log_log_slope(epsilons, errors), forward ? -1.25 : -0.75, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Theorems, SampleSlope, testing::ValuesIn(exact::all_constructions),
                         testing::PrintToStringParamName());

}  // namespace itomap::science_sample_slopes
