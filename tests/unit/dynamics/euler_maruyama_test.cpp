#include "itomap/dynamics/euler_maruyama.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

const ItoSystem& well() {
  static const ItoSystem system = make_system("double-well", {.beta = 6.0});
  return system;
}

TEST(EulerMaruyama, SameBitsForAnyNumberOfThreads) {
  EulerOptions options{.dt = 0.01, .steps = 500, .thin = 5, .chains = 7, .seed = 3, .execution = {.threads = 1}};
  const Simulation one = euler_maruyama(well(), options);
  options.execution.threads = 4;
  EXPECT_EQ(one.points, euler_maruyama(well(), options).points);
  options.seed = 4;
  EXPECT_NE(one.points, euler_maruyama(well(), options).points);
}

TEST(EulerMaruyama, ChainsAreIndependentAndDoNotDependOnTheirNumber) {
  const EulerOptions alone{.dt = 0.01, .steps = 100}, three{.dt = 0.01, .steps = 100, .chains = 3};
  const Points first = euler_maruyama(well(), alone).points, all = euler_maruyama(well(), three).points;
  EXPECT_EQ(all.rows(), 300);
  EXPECT_EQ(first, all.topRows(100));
  EXPECT_GT((all.middleRows(100, 100) - first).norm(), 0.1);
  const EulerOptions next_seed{.dt = 0.01, .steps = 100, .seed = 1};
  EXPECT_GT((all.middleRows(100, 100) - euler_maruyama(well(), next_seed).points).norm(), 0.1);
}

TEST(EulerMaruyama, ThinningAndBurnInCutTheSameChain) {
  const Points every = euler_maruyama(well(), {.dt = 0.01, .steps = 25}).points;
  const Points third = euler_maruyama(well(), {.dt = 0.01, .steps = 20, .thin = 3, .burn_in = 5}).points;
  ASSERT_EQ(third.rows(), 6);
  for (Index k = 0; k < 6; ++k) {
    EXPECT_EQ(third.row(k), every.row(5 + 3 * (k + 1) - 1)) << k;
  }
}

TEST(EulerMaruyama, AChainLongerThanARoundIsSeamless) {
  Index calls = 0;
  const auto count = [&](const ProgressUpdate&) { return ++calls > 0; };
  const EulerOptions options{.dt = 1e-3, .steps = 100000, .thin = 50000, .execution = {.progress = count}};
  const Simulation run = euler_maruyama(well(), options);
  EXPECT_EQ(run.points.rows(), 2);
  EXPECT_EQ(run.steps, 100000);
  EXPECT_GE(calls, 1);
  EXPECT_EQ(run.points.row(0), euler_maruyama(well(), {.dt = 1e-3, .steps = 50000, .thin = 50000}).points.row(0));
}

// One step from one place, many times: mean dt b, covariance 2 dt A.
TEST(EulerMaruyama, AStepHasTheDriftAndTheNoiseOfTheSystem) {
  const ItoSystem ring = make_system("ring");
  Points start(1, 2);
  start << 0.8, -0.5;
  constexpr Index runs = 40000;
  constexpr double dt = 0.01;
  const Points ends = euler_maruyama(ring, {.dt = dt, .steps = 1, .chains = runs, .start = start}).points;
  const Points steps = ends.rowwise() - start.row(0);
  const Matrix a = diffusion_at(ring, start).at(0, 2);
  const Eigen::RowVectorXd mean = steps.colwise().mean();
  const Matrix spread = steps.transpose() * steps / double(runs) - mean.transpose() * mean;
  for (Index i = 0; i < 2; ++i) {
    const double error = std::sqrt(2.0 * dt * a(i, i) / double(runs));
    EXPECT_NEAR(mean[i], dt * drift_at(ring, start)(0, i), 5.0 * error);
    for (Index j = 0; j < 2; ++j) {
      const double spread_error = 2.0 * dt * std::sqrt((a(i, i) * a(j, j) + a(i, j) * a(i, j)) / double(runs));
      EXPECT_NEAR(spread(i, j), 2.0 * dt * a(i, j), 5.0 * spread_error) << i << j;
    }
  }
}

TEST(EulerMaruyama, TheBoxHoldsAndCounts) {
  const Box box = Box::cube(2, 1.1);
  const Simulation run = euler_maruyama(well(), {.dt = 0.03, .steps = 5000, .chains = 2, .box = box});
  EXPECT_LE(run.points.cwiseAbs().maxCoeff(), 1.1);
  ASSERT_EQ(run.rejected.size(), 2U);
  EXPECT_GT(run.rejected[0], 10);
  EXPECT_EQ(run.total_rejected(), run.rejected[0] + run.rejected[1]);
  // A step not taken leaves the chain where it was.
  Index still = 0;
  for (Index i = 1; i < 5000; ++i) {
    still += Index(run.points.row(i) == run.points.row(i - 1));
  }
  EXPECT_NEAR(double(still), double(run.rejected[0]), 1.0);
}

TEST(EulerMaruyama, StartsOfChains) {
  Points start(2, 2);
  start << -1.0, 0.0, 1.0, 0.0;
  const Points points = euler_maruyama(well(), {.dt = 1e-8, .steps = 1, .chains = 2, .start = start}).points;
  EXPECT_LT((points - start).cwiseAbs().maxCoeff(), 1e-2);
}

std::string message_of(const ItoSystem& system, const EulerOptions& options) {
  try {
    euler_maruyama(system, options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(EulerMaruyama, AChainThatLeavesForInfinityIsNamed) {
  const std::string message = message_of(well(), {.dt = 0.5, .steps = 1000, .chains = 3});
  EXPECT_TRUE(message.starts_with("dt: 0.5 is too large: chain 0 (counted from 0) left for infinity at step"))
      << message;
  EXPECT_TRUE(message.ends_with("or give a box")) << message;
}

TEST(EulerMaruyama, WhatIsWrongIsNamed) {
  EXPECT_EQ(message_of(well(), {.steps = 10}), "dt: 0 is wrong; it must be > 0");
  EXPECT_EQ(message_of(well(), {.dt = NAN, .steps = 10}), "dt: nan is wrong; it must be > 0");
  EXPECT_EQ(message_of(well(), {.dt = 0.1, .steps = 10, .thin = 0}), "thin: 0 is wrong; it must be >= 1");
  EXPECT_EQ(message_of(well(), {.dt = 0.1, .steps = 10, .chains = 0}), "chains: 0 is wrong; it must be >= 1");
  EXPECT_EQ(message_of(well(), {.dt = 0.1, .steps = 10, .burn_in = -1}), "burn_in: -1 is wrong; it must be >= 0");
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .thin = 10}).starts_with("steps: 9 is wrong"));
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .start = Points::Zero(1, 3)}).starts_with("start: 1 x 3"));
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .chains = 3, .start = Points::Zero(2, 2)})
                  .starts_with("start: 2 x 2"));
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .start = Points::Constant(1, 2, NAN)}).starts_with("start:"));
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .start = Points::Constant(1, 2, 3.0), .box = well().box})
                  .starts_with("start: that of chain 0"));
  EXPECT_TRUE(message_of(well(), {.dt = 0.1, .steps = 9, .box = Box::cube(3, 1.0)}).starts_with("box:"));
}

TEST(EulerMaruyama, StopsOnRequest) {
  const Execution refusing{.progress = [](const ProgressUpdate&) { return false; }};
  const EulerOptions options{.dt = 1e-3, .steps = 1000000, .execution = refusing};
  EXPECT_THROW(euler_maruyama(well(), options), Cancelled);
}

}  // namespace
}  // namespace itomap
