// Metastable sets of a double well and of separate rings, from points that do not follow the target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "itomap/analysis/cluster.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"

namespace itomap::science_sets {

constexpr double beta = 3.0;
constexpr double epsilon = 0.008;

class DoubleWellSets : public testing::TestWithParam<std::uint64_t> {
 protected:
  exact::DoubleWell well{beta};
  Points points = samples::hot_double_well(4000, 4.0, GetParam());
  Map map = target_measure_map(points, well.log_invariant(points),
                               {.epsilon = epsilon, .kernel = {.engine = Engine::Sparse}});
  Spectrum spectrum = eigenpairs(map, {.count = 3});
  const double width = std::sqrt(2.0 * epsilon);  // standard deviation of the kernel

  /// Points farther than three kernel widths from the barrier that are not in the set of their side.
  Index misplaced(const Clustering& sets) const {
    Index deepest = 0;
    points.col(0).maxCoeff(&deepest);
    const Index right = sets.labels[deepest];
    Index count = 0;
    for (Index i = 0; i < points.rows(); ++i) {
      const bool on_the_right = sets.labels[i] == right;
      if (std::abs(points(i, 0)) > 3.0 * width && on_the_right != (points(i, 0) > 0.0)) {
        ++count;
      }
    }
    return count;
  }
};

// chi = w + a psi_1 with a = 1 / (max - min): every quantity follows from lambda_1. For sets of equal weight and
// |psi_1| = 1 the escape rate is |lambda_1| / 2. Weights differ by the noise of the points on the barrier, and in the
// tails |psi_1| reaches 1.1: each changes it by some per cent.
TEST_P(DoubleWellSets, SoftSetsAreTheWellsAndLeaveAtHalfTheSlowRate) {
  const auto sets = cluster(map, spectrum, {.sets = 2});
  EXPECT_EQ(misplaced(sets), 0);
  const double lambda = -spectrum.eigenvalues[1].real();
  const Vector psi = spectrum.eigenfunctions.col(1);
  const double a = 1.0 / (psi.maxCoeff() - psi.minCoeff());
  for (Index k = 0; k < 2; ++k) {
    const double w = sets.rates.weights[k];
    EXPECT_NEAR(sets.rates.escape_rates[k], lambda * a * a / (w * w + a * a), 1e-6 * lambda);
    EXPECT_NEAR(sets.rates.escape_rates[k], 0.5 * lambda, 0.1 * lambda);
    EXPECT_NEAR(w, 0.5, 0.1);
  }
  // The model of two states: rates there and back add up to the slow rate.
  EXPECT_NEAR(sets.rates.rate_matrix(0, 1) + sets.rates.rate_matrix(1, 0), lambda, 1e-6 * lambda);
  EXPECT_NEAR(sets.rates.rate_matrix(0, 1), 0.5 * lambda, 0.1 * lambda);
  EXPECT_NEAR(sets.rates.timescales[0], 1.0 / lambda, 1e-6 / lambda);
}

/// Invariant density of x on the barrier.
double density_at_saddle() {
  double sum = 0.0;
  constexpr double spacing = 1e-3;
  for (double x = -3.0; x <= 3.0; x += spacing) {
    sum += spacing * std::exp(-beta * std::pow(x * x - 1.0, 2));
  }
  return std::exp(-beta) / sum;
}

// A Gaussian step of variance 2 epsilon goes (epsilon / pi)^1/2 to the right on average, steps to the left counted as
// 0: per unit of time the share density (pi epsilon)^-1/2 crosses a line. The border is up to a kernel width away from
// the saddle, where the density is larger by exp(2 beta width^2) at most, 10 %; as much again for the O(epsilon) of the
// map and for the noise of the few points on the barrier.
TEST_P(DoubleWellSets, HardSetsCountEveryCrossing) {
  const auto sets = cluster(map, spectrum, {.sets = 2, .method = ClusterMethod::Kmeans});
  EXPECT_EQ(misplaced(sets), 0);
  const double flux = density_at_saddle() / std::sqrt(std::numbers::pi * epsilon);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(sets.rates.escape_rates[k] * sets.rates.weights[k], flux, 0.2 * flux);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DoubleWellSets, testing::Values(1, 2, 3, 4, 5));

class ThreeRings : public testing::TestWithParam<Engine> {};

TEST_P(ThreeRings, AreThreeClosedSets) {
  const Index sizes[] = {150, 100, 200};
  Points points(450, 2);
  std::vector<Index> ring;
  for (Index r = 0; r < 3; ++r) {
    const auto begin = Index(ring.size());
    points.middleRows(begin, sizes[r]) = samples::on_circle(samples::quantile_angles(sizes[r], 0.0, 0.0));
    points.middleRows(begin, sizes[r]).col(0).array() += 10.0 * double(r);
    ring.insert(ring.end(), std::size_t(sizes[r]), r);
  }
  const auto map = diffusion_map(points, {.epsilon = 0.01, .alpha = 0.0, .kernel = {.engine = GetParam()}});
  const Spectrum spectrum = eigenpairs(map, {.count = 5});
  const Index set_of_ring[] = {1, 2, 0};  // alpha = 0: rings with more points weigh more
  for (const auto method : {ClusterMethod::Pcca, ClusterMethod::Kmeans}) {
    const auto sets = cluster(map, spectrum, {.sets = 3, .method = method});
    for (Index i = 0; i < 450; ++i) {
      ASSERT_EQ(sets.labels[i], set_of_ring[ring[i]]) << i;
      ASSERT_NEAR(sets.memberships(i, sets.labels[i]), 1.0, 1e-12);
    }
    EXPECT_EQ(sets.rates.escape_rates, Vector::Zero(3));
    EXPECT_TRUE(std::isinf(sets.rates.exit_times.minCoeff()));
    EXPECT_NEAR(sets.crispness, 1.0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ThreeRings, testing::Values(Engine::Sparse, Engine::Dense, Engine::Grid));

}  // namespace itomap::science_sets
