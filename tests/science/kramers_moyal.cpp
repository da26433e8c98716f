// Drift and diffusion estimated from simulations whose truth is known, and what LKDmap makes of the estimates.
//
// Errors are measured in standard errors: their mean square must be 1 and nearly all must be below 3, so neither a bias
// nor errors that are too small or too large can hide. Trajectory estimates belong to a neighbourhood: their truth is
// the mean of b and A over the frames in it, which leaves a bias of order lag, 2 % of A here.
#include <gtest/gtest.h>

#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"
#include "support/simulated_well.hpp"

namespace itomap::science_kramers_moyal {

using exact::SimulatedWell;

constexpr double lag = 0.002;
constexpr double step = 2.5e-4;

struct Truth {
  Points drift;
  Points diffusion;
};

/// Share of the points at which b and A are all within 3 standard errors.
double share_within_three(const DynamicsEstimate& e, const Truth& truth) {
  const Points drift = (e.drift - truth.drift).cwiseAbs().cwiseQuotient(e.drift_error);
  const Points diffusion = (e.diffusion - truth.diffusion).cwiseAbs().cwiseQuotient(e.diffusion_error);
  Index within = 0;
  for (Index i = 0; i < drift.rows(); ++i) {
    within += drift.row(i).maxCoeff() <= 3.0 && diffusion.row(i).maxCoeff() <= 3.0 ? 1 : 0;
  }
  return double(within) / double(drift.rows());
}

double mean_square(const Points& difference, const Points& error) {
  return difference.cwiseQuotient(error).squaredNorm() / double(error.size());
}

DynamicsEstimate estimate_from_runs(PointsView starts, Index runs, std::uint64_t seed) {
  const SimulatedWell well{.step = step};
  const BlackBox box = [&](std::span<const double> start, std::uint64_t run_seed, std::span<double> end) {
    well.run(start, lag, run_seed, end);
  };
  return estimate_dynamics_from_bursts(starts, runs, box, {.lag = lag, .seed = seed});
}

class KramersMoyal : public testing::TestWithParam<std::uint64_t> {};

TEST_P(KramersMoyal, BurstsAreWithinTheirErrors) {
  const Points starts = samples::hot_double_well(600, 1.5, GetParam());
  const DynamicsEstimate e = estimate_from_runs(starts, 300, GetParam());
  const Truth truth{SimulatedWell::drift(starts), SimulatedWell::diffusion(starts)};
  EXPECT_GE(share_within_three(e, truth), 0.95);
  // 1,200 squares of normal numbers have a mean of 1 +- 0.04; A adds (2 % bias / 8 % error)^2 where the force is steep.
  EXPECT_NEAR(mean_square(e.drift - truth.drift, e.drift_error), 1.0, 0.16);
  EXPECT_NEAR(mean_square(e.diffusion - truth.diffusion, e.diffusion_error), 1.0, 0.25);
}

/// The mean of the truth over all frames of the neighbourhood that have an end, by the definition.
Truth neighbourhood_truth(const Points& frames, const Points& queries, double radius, Index lag_frames) {
  const Points drift = SimulatedWell::drift(frames), diffusion = SimulatedWell::diffusion(frames);
  Truth truth{Points::Zero(queries.rows(), 2), Points::Zero(queries.rows(), 4)};
  for (Index i = 0; i < queries.rows(); ++i) {
    Index count = 0;
    for (Index t = 0; t + lag_frames < frames.rows(); ++t) {
      if ((frames.row(t) - queries.row(i)).norm() > radius) {
        continue;
      }
      truth.drift.row(i) += drift.row(t);
      truth.diffusion.row(i) += diffusion.row(t);
      ++count;
    }
    truth.drift.row(i) /= double(count);
    truth.diffusion.row(i) /= double(count);
  }
  return truth;
}

// Four frames to a lag: three of four increments overlap with the next one.
TEST_P(KramersMoyal, TrajectoriesAreWithinTheirErrors) {
  constexpr double dt = lag / 4, radius = 0.1;
  const Points frames = SimulatedWell{.step = step}.trajectory(800000, dt, GetParam());
  const std::vector<Trajectory> runs{Trajectory(frames)};
  const Points queries = thin_frames(runs, 300);
  const DynamicsEstimate e = estimate_dynamics(runs, queries, {.dt = dt, .lag = lag, .radius = radius});
  const Truth truth = neighbourhood_truth(frames, queries, radius, 4);
  EXPECT_GE(share_within_three(e, truth), 0.95);
  // Neighbouring queries share frames, so the mean squares vary more than those of bursts.
  EXPECT_NEAR(mean_square(e.drift - truth.drift, e.drift_error), 1.0, 0.3);
  EXPECT_NEAR(mean_square(e.diffusion - truth.diffusion, e.diffusion_error), 1.0, 0.5);

  // Control: errors that take all increments for independent are about half as large, and the squares show it.
  Points naive = e.drift_error;
  for (Index i = 0; i < naive.rows(); ++i) {
    naive.row(i) *= std::sqrt(e.independent_counts(i) / double(e.counts[std::size_t(i)]));
  }
  EXPECT_GT(mean_square(e.drift - truth.drift, naive), 2.0);
}

// With a small radius the neighbourhood's mean is the value at the query.
TEST_P(KramersMoyal, ASmallRadiusGivesTheValueAtTheQuery) {
  constexpr double dt = lag / 4;
  const Points frames = SimulatedWell{.step = step}.trajectory(800000, dt, GetParam());
  const std::vector<Trajectory> runs{Trajectory(frames)};
  const Points queries = thin_frames(runs, 300);
  const DynamicsEstimate e = estimate_dynamics(runs, queries, {.dt = dt, .lag = lag, .radius = 0.05});
  EXPECT_GE(share_within_three(e, {SimulatedWell::drift(queries), SimulatedWell::diffusion(queries)}), 0.95);
}

Vector leading_timescales(PointsView points, PointsView drift, PointsView diffusion) {
  const Map map = local_kernel_map(points, drift, Diffusion::matrices(diffusion),
                                   {.epsilon = 0.03, .density_epsilon = 0.015, .kernel = {.engine = Engine::Sparse}});
  return eigenpairs(map, {.count = 3}).timescales.segment(1, 3);
}

/// The largest relative error of the three slowest time scales against LKDmap on the truth at the same points.
double timescale_error(const DynamicsEstimate& e) {
  const Vector estimated = leading_timescales(e.points, e.drift, e.diffusion);
  const Vector exact = leading_timescales(e.points, SimulatedWell::drift(e.points), SimulatedWell::diffusion(e.points));
  return (estimated.cwiseQuotient(exact).array() - 1.0).abs().maxCoeff();
}

TEST_P(KramersMoyal, LocalKernelMapOnBursts) {
  const Points starts = samples::hot_double_well(1200, 2.0, GetParam());
  EXPECT_LE(timescale_error(estimate_from_runs(starts, 1000, GetParam())), 0.15);
}

/// Points where U is small: a lone one in a tail would add a spurious slow mode, which is another test's subject.
Points without_tails(const Points& points) {
  const Vector energy = exact::DoubleWell::potential(points);
  std::vector<Index> kept;
  for (Index i = 0; i < points.rows(); ++i) {
    if (energy(i) < 2.0) {
      kept.push_back(i);
    }
  }
  return points(kept, Eigen::all);
}

TEST_P(KramersMoyal, LocalKernelMapOnATrajectory) {
  constexpr double dt = lag / 2;
  const Points frames = SimulatedWell{.step = step}.trajectory(1000000, dt, GetParam());
  const std::vector<Trajectory> runs{Trajectory(frames)};
  const Points queries = without_tails(thin_frames(runs, 1500));
  EXPECT_LE(timescale_error(estimate_dynamics(runs, queries, {.dt = dt, .lag = lag, .neighbours = 2000})), 0.15);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KramersMoyal, testing::Values(1, 2, 3));

}  // namespace itomap::science_kramers_moyal
