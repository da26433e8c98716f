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

TEST(Blocks, EveryOtherOneMakesTwoHalves) {
  EXPECT_THAT(every_other_block(false, 4, 9), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(every_other_block(true, 4, 9), ElementsAre(2, 3, 6, 7, 8));
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

TEST(Parts, TheWholeHasItsOwnEigenvalues) {
  const Solution whole = solved_map(circle(300), 4);
  const auto values = part_values(whole, all_rows(300));
  EXPECT_LT((values - whole.lambda).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Parts, AHalfHasTheEigenvaluesOfItsPointsInTheOrderOfTheWhole) {
  const MapDefinition map = circle(600);
  const Solution whole = solved_map(map, 4);
  const auto rows = every_other_block(true, 10, 600);
  const Eigen::VectorXcd values = part_values(whole, rows);
  const Solution half = solved_map(map.subset(rows), 4);
  EXPECT_LT((values - half.lambda).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Parts, AModeWithoutLikenessKeepsItsValue) {
  // On a short arc the slowest functions of the circle are nearly constant: like none of its own.
  const MapDefinition map = circle(600);
  const Solution whole = solved_map(map, 4);
  const auto points = map.points.view();
  std::vector<Index> arc;
  for (Index i = 0; i < 600; ++i) {
    if (std::abs(std::atan2(points(i, 1), points(i, 0))) < 0.2) {
      arc.push_back(i);
    }
  }
  ASSERT_GT(arc.size(), 15u);
  EXPECT_EQ(part_values(whole, arc), whole.lambda);
}

TEST(Parts, FewerPointsThanModesChangeNothing) {
  const Solution whole = solved_map(circle(300), 6);
  EXPECT_EQ(part_values(whole, {0, 1, 2}), whole.lambda);
}

/// Modes that are unit vectors: the k-th mode is the `place[k]`-th.
Solution unit_modes(const std::vector<Index>& place, const Eigen::VectorXcd& lambda) {
  const Eigen::MatrixXcd basis = Eigen::MatrixXcd::Identity(8, 8)(Eigen::all, place);
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
