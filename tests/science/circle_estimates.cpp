// Drift and diffusion of an angle that is stored wrapped, from a process that crosses the cut hundreds of times.
//
// dX = v dt + sqrt(2 A) dW on the circle: b = v and A everywhere, lambda_n = -A n^2 + i v n. Neighbourhoods do not
// overlap, so that errors measured in standard errors are independent normal numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap::science_circle_estimates {

constexpr double circle = 2.0 * std::numbers::pi;
constexpr double a = 0.5;
constexpr double dt = 0.01;
constexpr Index frames = 400000;
constexpr Index places = 40;

/// In [-pi, pi): the cut lies at pi.
Points wrapped_run(double velocity, std::uint64_t seed) {
  Points x = std::sqrt(2.0 * a * dt) * samples::normal(frames, 1, seed);
  x.array() += velocity * dt;
  for (Index t = 1; t < frames; ++t) {
    x(t, 0) = std::remainder(x(t, 0) + x(t - 1, 0), circle);
  }
  return x;
}

Index crossings(const Points& x) {
  Index count = 0;
  for (Index t = 1; t < frames; ++t) {
    count += std::abs(x(t, 0) - x(t - 1, 0)) > 0.5 * circle ? 1 : 0;
  }
  return count;
}

/// Half of the neighbourhoods next to the cut lies on its other side.
Points queries() { return Points(Vector::LinSpaced(places, -0.5 * circle, (0.5 - 1.0 / places) * circle)); }

class CircleEstimates : public testing::TestWithParam<std::tuple<double, std::uint64_t>> {
 protected:
  double velocity = std::get<0>(GetParam());
  Points x = wrapped_run(velocity, std::get<1>(GetParam()));
  std::vector<Trajectory> runs{Trajectory(x)};

  static double mean_square(const Points& estimate, double truth, const Points& error) {
    return (estimate.array() - truth).matrix().cwiseQuotient(error).squaredNorm() / double(error.size());
  }
};

TEST_P(CircleEstimates, AreWithinTheirErrorsOnBothSidesOfTheCut) {
  ASSERT_GT(crossings(x), 600);
  for (const Index lag_frames : {1, 4}) {
    EstimateOptions options{.dt = dt, .lag = double(lag_frames) * dt, .radius = 0.5 * circle / places};
    const DynamicsEstimate cut = estimate_dynamics(runs, queries(), options);
    options.period = {circle};
    const DynamicsEstimate e = estimate_dynamics(runs, queries(), options);
    EXPECT_TRUE(e.warnings.empty());
    // 40 squares of normal numbers have a mean of 1 +- 0.22.
    EXPECT_NEAR(mean_square(e.drift, velocity, e.drift_error), 1.0, 0.7) << lag_frames;
    EXPECT_NEAR(mean_square(e.diffusion, a, e.diffusion_error), 1.0, 0.7) << lag_frames;
    // The time spent near a query bounds the error of b.
    const double near = frames * dt / places;
    EXPECT_LT(e.drift_error.maxCoeff(), 1.15 * std::sqrt(2.0 * a / near)) << lag_frames;
    // Control: without the period, what crosses the cut jumps back around the circle.
    EXPECT_GT(std::abs(cut.drift(0, 0) - velocity), 10.0 * cut.drift_error(0, 0)) << lag_frames;
    EXPECT_GT(cut.diffusion(0, 0), 20.0 * a) << lag_frames;
  }
}

TEST_P(CircleEstimates, FollowTheNearestFramesAroundTheCut) {
  const DynamicsEstimate e = estimate_dynamics(
      runs, queries(), {.dt = dt, .lag = dt, .neighbours = frames / (2 * places), .period = {circle}});
  EXPECT_NEAR(mean_square(e.drift, velocity, e.drift_error), 1.0, 0.7);
  EXPECT_NEAR(mean_square(e.diffusion, a, e.diffusion_error), 1.0, 0.7);
  EXPECT_LT((e.centres - e.points).cwiseAbs().maxCoeff(), 0.5 * circle / places);
}

TEST_P(CircleEstimates, GiveTheSpectrumOfTheCircle) {
  const Points where = thin_frames(runs, 300);
  const DynamicsEstimate e =
      estimate_dynamics(runs, where, {.dt = dt, .lag = dt, .neighbours = 10000, .period = {circle}});
  const Map map = local_kernel_map(e.points, e.drift, Diffusion::matrices(e.diffusion),
                                   {.epsilon = 0.05, .kernel = {.period = {circle}}});
  const Spectrum s = eigenpairs(map, {.count = 2});
  EXPECT_NEAR(s.eigenvalues[1].real(), -a, 0.1 * a);
  EXPECT_NEAR(std::abs(s.eigenvalues[1].imag()), std::abs(velocity), 0.1 * std::abs(velocity));
}

INSTANTIATE_TEST_SUITE_P(Directions, CircleEstimates,
                         testing::Combine(testing::Values(1.0, -1.0), testing::Values(1, 2)));

}  // namespace itomap::science_circle_estimates
