// Simulated chains against what is known of their stationary densities, exactly, for the step they take.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/dynamics/euler_maruyama.hpp"

namespace itomap::science_simulations {

/// Mean and standard error over chains, which are independent, of the mean square of a chain's points.
struct MeanSquare {
  double value = 0.0;
  double error = 0.0;
};

MeanSquare mean_square(const Simulation& run, Index chains) {
  const Index rows = run.points.rows() / chains;
  Vector squares(chains);
  for (Index c = 0; c < chains; ++c) {
    squares[c] = run.points.middleRows(c * rows, rows).squaredNorm() / double(rows * run.points.cols());
  }
  const double mean = squares.mean();
  const double variance = (squares.array() - mean).square().sum() / double(chains - 1);
  return {mean, std::sqrt(variance / double(chains))};
}

// The Euler chain x <- (1 - beta dt) x + sqrt(2 dt) xi has variance 2 dt / (1 - (1 - beta dt)^2), not 1 / beta.
TEST(Simulations, VarianceOfTheEulerChain) {
  for (const double dt : {0.01, 0.5}) {
    const double beta = 2.0;
    const auto system = make_system("ornstein-uhlenbeck", {.beta = beta, .dimension = 3});
    const Index chains = 40;
    const auto run = euler_maruyama(
        system, {.dt = dt, .steps = 20000, .thin = 2, .burn_in = 2000, .chains = chains, .box = system.box});
    const auto found = mean_square(run, chains);
    const double exact = 1.0 / (beta * (1.0 - 0.5 * beta * dt));
    EXPECT_NEAR(found.value, exact, 4.0 * found.error) << dt;
    EXPECT_LT(found.error, 0.01 * exact) << dt;
  }
}

// A rotation changes no density in continuous time; a step of forward Euler stretches x by |1 - dt beta (1 + 2i)|.
TEST(Simulations, VarianceOfTheRotatingChain) {
  const double beta = 1.0, dt = 0.05;
  const auto system = make_system("rotating", {.beta = beta});
  const Index chains = 40;
  const auto run = euler_maruyama(system, {.dt = dt, .steps = 20000, .burn_in = 500, .chains = chains});
  const auto found = mean_square(run, chains);
  const double stretch = std::pow(1.0 - dt * beta, 2) + std::pow(2.0 * dt * beta, 2);
  EXPECT_NEAR(found.value, 2.0 * dt / (1.0 - stretch), 4.0 * found.error);
  EXPECT_LT(found.error, 0.01);
}

// The ring keeps exp(-beta U) although its noise differs from place to place: the mean of (r^2 - 1)^2, with s = r^2 of
// density exp(-beta (s - 1)^2) on s > 0. A small step, or forward Euler's own bias would show.
TEST(Simulations, PlaceDependentNoiseKeepsTheTarget) {
  const double beta = 4.0;
  const auto system = make_system("ring", {.beta = beta});
  const Index chains = 32;
  const auto run = euler_maruyama(
      system, {.dt = 5e-4, .steps = 60000, .thin = 20, .burn_in = 4000, .chains = chains, .box = system.box});
  double mass = 0.0, expected = 0.0;
  for (int k = 0; k < 40000; ++k) {
    const double s = 1e-4 * (k + 0.5), weight = std::exp(-beta * (s - 1.0) * (s - 1.0));
    mass += weight;
    expected += weight * s;
  }
  expected /= mass;
  const auto found = mean_square(run, chains);  // of both coordinates: half of r^2
  // Forward Euler is off by order dt: dt times a rate of the process, about beta U'' = 8 beta.
  EXPECT_NEAR(2.0 * found.value, expected, 8.0 * found.error + 5e-4 * 8.0 * beta * expected);
  EXPECT_LT(found.error, 0.01 * expected);
}

// The paper's first example: the chain explodes without a box, and the box leaves the bias of the large step.
TEST(Simulations, TheLargeTimeStepKeepsItsBias) {
  const auto system = make_system("double-well", {.beta = 6.0});
  const auto run = euler_maruyama(system, {.dt = 0.03, .steps = 1000000, .thin = 100, .box = system.box, .seed = 1});
  EXPECT_EQ(run.points.rows(), 10000);
  // About 80 steps in a million; 30 either way is more than three standard deviations of a Poisson number.
  EXPECT_NEAR(double(run.total_rejected()), 80.0, 30.0);
  // Along y the chain is linear, with variance 1 / (2 beta (1 - beta dt)) instead of 1 / (2 beta): 22 % more.
  const double variance = run.points.col(1).squaredNorm() / 1e4;
  const double biased = 1.0 / (12.0 * (1.0 - 0.18));
  EXPECT_NEAR(variance, biased, 4.0 * biased * std::sqrt(2.0 / 1e4));
  // Along x pi has hardly any mass at the saddle, the chain has: its steps are as long as the well is wide.
  const auto at_saddle = (run.points.col(0).array().abs() < 0.2).count();
  double share = 0.0, mass = 0.0;
  for (int k = 0; k < 4000; ++k) {
    const double x = 5e-4 * (k + 0.5), weight = std::exp(-6.0 * std::pow(x * x - 1.0, 2));
    mass += weight;
    if (x < 0.2) {
      share += weight;
    }
  }
  EXPECT_GT(double(at_saddle) / 1e4, 5.0 * share / mass);
}

}  // namespace itomap::science_simulations
