#include "generator/bistochastic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "kernel/planner.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

using detail::bistochastic_weights;

TEST(Bistochastic, HasTheMeasureAskedFor) {
  const Points x = samples::normal(800, 2, 1);
  const auto kernel = detail::make_kernel(detail::KernelGeometry::isotropic(x, 0.05, {}), {});
  const Vector log_measure = -3.0 * x.col(0).array().abs();
  const auto found = bistochastic_weights(*kernel, log_measure, 0.5 * log_measure);
  EXPECT_LT(found.residual, 1e-6);
  const Vector d = found.log_weights.array().exp();
  Block sums(800, 1);
  kernel->apply(d, sums);
  const Vector ratio = d.array() * sums.col(0).array() / log_measure.array().exp();
  EXPECT_LT(ratio.maxCoeff() / ratio.minCoeff() - 1.0, 2e-6);
  EXPECT_LT((found.sums.values - sums.col(0)).cwiseAbs().maxCoeff(), 1e-12 * sums.maxCoeff());
}

// n products leave 1 / T_n(3) of the error, 5.8 times less each, in the norm of w: at single points it may take one
// more. From 2e-3 to 1e-6 that is n = 5, after the product that looks at the start; halves of log r would take 11.
TEST(Bistochastic, TakesAsManyProductsAsItsStartAsksFor) {
  const Points x = samples::normal(800, 2, 1);
  const auto kernel = detail::make_kernel(detail::KernelGeometry::isotropic(x, 0.05, {}), {});
  const Vector log_measure = -3.0 * x.col(0).array().abs();
  const auto found = bistochastic_weights(*kernel, log_measure, 0.5 * log_measure);
  EXPECT_LE(found.products, 16);
  const Vector near = found.log_weights.array() + 1e-3 * x.col(1).array().sin();
  EXPECT_LE(bistochastic_weights(*kernel, log_measure, near).products, 7);
  EXPECT_EQ(bistochastic_weights(*kernel, log_measure, found.log_weights).products, 1);
}

TEST(Bistochastic, TargetsOfManyUnitsOfHeat) {
  const Points x = samples::normal(400, 1, 2);
  const Vector log_target = -300.0 * x.col(0).cwiseAbs2();
  const Map map = target_measure_map(x, log_target, {.epsilon = 0.01, .normalization = Normalization::Bistochastic});
  EXPECT_TRUE(map.stationary().allFinite());
  const Vector expected = (log_target.array() - log_target.maxCoeff()).exp() / map.density().array();
  EXPECT_LT((map.stationary() - expected / expected.sum()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(BistochasticMap, IsMarkovAndHasItsStationaryWeights) {
  const Points x = samples::normal(300, 2, 3);
  for (const double alpha : {0.0, 0.5, 1.0}) {
    const Map map = diffusion_map(x, {.epsilon = 0.1, .alpha = alpha, .normalization = Normalization::Bistochastic});
    EXPECT_LT((map.markov(Vector::Ones(300)) - Vector::Ones(300)).cwiseAbs().maxCoeff(), 1e-12);
    const Vector w = map.density().array().pow(1.0 - 2.0 * alpha);
    EXPECT_LT((map.stationary().array() / (w / w.sum()).array() - 1.0).abs().maxCoeff(), 1e-5) << alpha;
    EXPECT_LT((map.markov_transpose(map.stationary()).col(0) - map.stationary()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(BistochasticMap, VariableBandwidthKeepsTheTarget) {
  const Points x = 1.5 * samples::normal(2000, 1, 4);
  const Map map = target_measure_map(
      x, -0.5 * x.col(0).cwiseAbs2(),
      {.epsilon = 0.02, .normalization = Normalization::Bistochastic, .bandwidth = {.strength = 0.5}});
  EXPECT_NEAR(map.stationary().dot(x.col(0).cwiseAbs2()), 1.0, 0.05);
}

TEST(BistochasticMap, OfDistancesHasTheDensityOfKernelSums) {
  const Points x = samples::normal(100, 2, 5);
  Matrix distances(100, 100);
  for (Index i = 0; i < 100; ++i) {
    distances.col(i) = (x.rowwise() - x.row(i)).rowwise().norm();
  }
  const DiffusionMapOptions options{.epsilon = 0.1, .alpha = 0.5, .normalization = Normalization::Bistochastic};
  const Map from_distances = diffusion_map(Distances(Points(distances)), options);
  const Map from_points = diffusion_map(x, options);
  // alpha = 1/2 weighs all points alike, whatever the density.
  EXPECT_LT((eigenpairs(from_distances, {.count = 4}).eigenvalues - eigenpairs(from_points, {.count = 4}).eigenvalues)
                .cwiseAbs()
                .maxCoeff(),
            1e-5);
}

TEST(BistochasticMap, TheBiasedKernelHasNone) {
  const Points x = samples::normal(50, 1, 6);
  EXPECT_THROW(local_kernel_map(x, Points::Zero(50, 1), Diffusion::constant(1.0),
                                {.epsilon = 0.1, .biased = true, .normalization = Normalization::Bistochastic}),
               InvalidArgument);
}

}  // namespace
}  // namespace itomap
