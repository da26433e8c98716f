#include "scales/replicates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "generator/maps.hpp"
#include "spectrum/solve.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using testing::ElementsAre;

TEST(Blocks, OneIsLeftOut) {
  EXPECT_THAT(without_block(0, 3, 7), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(without_block(1, 3, 7), ElementsAre(0, 1, 4, 5, 6));
  EXPECT_THAT(without_block(2, 3, 7), ElementsAre(0, 1, 2, 3));
}

/// All columns, complex or not.
Eigen::MatrixXcd dense(const Eigenfunctions& f) {
  Eigen::MatrixXcd z(f.rows(), f.cols());
  for (Index n = 0; n < f.cols(); ++n) {
    z.col(n) = f.complex(n);
  }
  return z;
}

/// A noisy circle: lambda = -1 twice, -4 twice, so that modes of a part are turned against those of the whole.
MapDefinition circle(Index m) {
  MapDefinition map;
  map.method = Method::DiffusionMap;
  map.alpha = 1.0;
  map.epsilon = 0.02;
  map.points = samples::normal(m, 2, 7).rowwise().normalized();
  return map;
}

Solution solved_map(const MapDefinition& map, Index modes) {
  const Generator g = build(map);
  return solution_of(map, g, eigenpairs_of(g, {.count = modes}));
}

std::vector<Index> all_rows(Index m) {
  std::vector<Index> rows;
  for (Index i = 0; i < m; ++i) {
    rows.push_back(i);
  }
  return rows;
}

TEST(AtScale, TheDimensionOfABandwidthIsThatOfTheFinestMap) {
  // A strip: a surface for a narrow kernel, a curve for one that is as wide as the strip.
  Points points = samples::normal(800, 2, 8);
  points.col(1) *= 0.1;
  MapDefinition strip;
  strip.points = points;
  strip.bandwidth.strength = 0.5;
  strip.epsilon = 0.002;
  const Generator finest = build(strip);
  ASSERT_EQ(finest.bandwidth_dimension, 2);
  MapDefinition wide = strip;
  wide.epsilon = 8.0 * strip.epsilon.value();
  ASSERT_EQ(build(wide).bandwidth_dimension, 1);
  EXPECT_EQ(build(at_scale(strip, finest, 8.0)).bandwidth_dimension, 2);
  EXPECT_EQ(build(at_scale(strip, finest, 1.0).subset(all_rows(400))).bandwidth_dimension, 2);
}

/// Everything but every tenth row.
std::vector<Index> most_rows(Index m) {
  std::vector<Index> rows;
  for (Index i = 0; i < m; ++i) {
    if (i % 10 != 3) {
      rows.push_back(i);
    }
  }
  return rows;
}

TEST(PartModes, OfTheWholeAreItsOwn) {
  const MapDefinition map = circle(300);
  const Solution whole = solved_map(map, 4);
  for (const int steps : {0, 2}) {
    const PartModes modes = part_modes(whole, build(map), all_rows(300), {steps, 0.0});
    EXPECT_LT((modes.lambda - whole.lambda).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((dense(modes.psi) - dense(whole.psi)).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((dense(modes.phi) - dense(whole.phi)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

/// Sums of the eigenvalues of each pair: which of two mixtures is called which is another question.
Vector pair_sums(const Eigen::VectorXcd& lambda) {
  return (Vector(2) << lambda[1].real() + lambda[2].real(), lambda[3].real() + lambda[4].real()).finished();
}

TEST(PartModes, StepsLeadToTheEigenvaluesOfThePart) {
  const MapDefinition map = circle(400);
  const Solution whole = solved_map(map, 4);
  const auto rows = most_rows(400);
  const Generator part = build(map.subset(rows));
  const Vector exact = pair_sums(solved_map(map.subset(rows), 4).lambda);
  const Vector projected = (pair_sums(part_modes(whole, part, rows, {0, 0.0}).lambda) - exact).cwiseAbs();
  const Vector stepped = (pair_sums(part_modes(whole, part, rows, {4, 0.0}).lambda) - exact).cwiseAbs();
  EXPECT_LT(stepped.sum(), 0.3 * projected.sum());
}

/// In few unknowns a part must have the modes that steps of P on its points lead to.
TEST(PartModes, AreTheSameInFewUnknowns) {
  MapDefinition map;
  map.method = Method::DiffusionMap;
  map.alpha = 0.5;
  map.epsilon = 0.1;
  map.kernel.engine = Engine::Grid;
  Points x = samples::normal(9000, 2, 17);
  x.col(1) *= 0.7;
  map.points = x;
  const Generator g = build(map);
  const Solution whole = solution_of(map, g, eigenpairs_of(g, {.count = 4}));
  const auto rows = most_rows(9000);
  const Generator part = build_part(map, g, rows);
  constexpr CorrectionLimits limits{60, 1e-6};
  ASSERT_LT(part.kernel->condensing_cost(), 2.0 * double(limits.steps));
  const PartModes modes = part_modes(whole, part, rows, limits);
  MapDefinition by_pairs = map;
  by_pairs.kernel.engine = Engine::Dense;
  const PartModes stepped = part_modes(whole, build(by_pairs.subset(rows)), rows, limits);
  const Eigen::VectorXcd projected = projected_values(whole, part, rows);
  EXPECT_LT((modes.lambda - stepped.lambda).norm(), 0.01 * (modes.lambda - projected).norm());
  const Vector weights = stationary_of(part, modes);
  const Eigenfunctions difference = added(modes.psi, stepped.psi, -Eigen::VectorXcd::Ones(modes.psi.cols()));
  EXPECT_LT(conjugate_products(difference, difference, weights).cwiseAbs().maxCoeff(), 1e-4);
  // Of a reversible map the other side is the same by weight.
  const Eigen::MatrixXcd left = weights.asDiagonal() * dense(stepped.psi);
  EXPECT_LT((dense(modes.phi) - left).cwiseAbs().colwise().sum().maxCoeff(), 1e-2);
}

TEST(PartModes, AreBiorthonormalAndInPhase) {
  const MapDefinition map = circle(400);
  const Solution whole = solved_map(map, 4);
  const auto rows = most_rows(400);
  const PartModes modes = part_modes(whole, build(map.subset(rows)), rows, {2, 0.0});
  const Eigen::MatrixXcd gram = inner_products(modes.phi, modes.psi);
  EXPECT_LT((gram - Eigen::MatrixXcd::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(modes.phi.col(0).sum(), 1.0, 1e-10);
  const Eigen::MatrixXcd overlap = inner_products(on_rows(whole.phi, rows), modes.psi);
  for (Index n = 0; n < 5; ++n) {
    EXPECT_GT(overlap(n, n).real(), 0.5) << n;
    EXPECT_NEAR(overlap(n, n).imag(), 0.0, 1e-10) << n;
  }
}

TEST(PartModes, OfARotatingProcessComeInPairs) {
  MapDefinition map;
  map.method = Method::LocalKernelMap;
  const Points x = 1.2 * samples::normal(500, 2, 9);
  Points drift = -x;
  drift.col(0) -= 2.0 * x.col(1);
  drift.col(1) += 2.0 * x.col(0);
  map.points = x;
  map.drift = drift;
  map.diffusion = Diffusion::constant(1.0);
  map.epsilon = 0.1;
  const Solution whole = solved_map(map, 4);
  ASSERT_GT(whole.lambda[1].imag(), 1.0);
  const auto rows = most_rows(500);
  const PartModes modes = part_modes(whole, build(map.subset(rows)), rows, {2, 0.0});
  EXPECT_NEAR(std::abs(modes.lambda[2] - std::conj(modes.lambda[1])), 0.0, 1e-9);
  EXPECT_LT(std::abs(modes.lambda[1] - whole.lambda[1]), 0.2 * std::abs(whole.lambda[1]));
  EXPECT_GT(modes.phi.col(0).minCoeff(), -1e-3 * modes.phi.col(0).maxCoeff());
}

/// Modes that are unit vectors: the k-th mode is the `place[k]`-th.
Solution unit_modes(const std::vector<Index>& place, const Eigen::VectorXcd& lambda) {
  const Eigenfunctions basis{Block::Identity(8, 8)(Eigen::all, place)};
  return {.map = {}, .epsilon = 1.0, .psi = basis, .phi = basis, .lambda = lambda};
}

Eigen::VectorXcd values(const std::vector<std::complex<double>>& list) {
  return Eigen::Map<const Eigen::VectorXcd>(list.data(), Index(list.size()));
}

TEST(Reorder, FindsEveryModeInAnotherPlace) {
  const auto leading = unit_modes({0, 1, 2, 3}, values({0.0, {-1.0, 2.0}, {-1.0, -2.0}, -3.0}));
  auto other = unit_modes({0, 3, 1, 2, 4}, values({0.0, -0.9, {-1.1, 2.1}, {-1.1, -2.1}, -5.0}));
  EXPECT_TRUE(reorder(leading, other).empty());
  EXPECT_EQ(other.lambda, values({0.0, {-1.1, 2.1}, {-1.1, -2.1}, -0.9}));
}

TEST(Reorder, APairIsNotTwoRealModes) {
  const auto leading = unit_modes({0, 1, 2, 3}, values({0.0, {-1.0, 2.0}, {-1.0, -2.0}, -3.0}));
  auto other = unit_modes({0, 1, 2, 3}, values({0.0, -0.8, -1.2, -3.1}));
  EXPECT_THAT(reorder(leading, other), ElementsAre(1, 2));
  EXPECT_EQ(other.lambda, values({0.0, {-1.0, 2.0}, {-1.0, -2.0}, -3.1}));
}

TEST(Reorder, HalfAPairIsNone) {
  const auto leading = unit_modes({0, 1, 2}, values({0.0, {-1.0, 2.0}, {-1.0, -2.0}}));
  auto other = unit_modes({0, 3, 1}, values({0.0, -0.5, {-1.1, 2.1}}));
  EXPECT_THAT(reorder(leading, other), ElementsAre(1, 2));
}

TEST(Reorder, AModeThatIsNotThereIsAlone) {
  const auto leading = unit_modes({0, 1, 2}, values({0.0, -1.0, -2.0}));
  auto other = unit_modes({0, 5, 1}, values({0.0, -0.5, -1.1}));
  EXPECT_THAT(reorder(leading, other), ElementsAre(2));
  EXPECT_EQ(other.lambda, values({0.0, -1.1, -2.0}));
}

}  // namespace
}  // namespace itomap
