#include "itomap/scales/scale_scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace itomap {
namespace {

/// Angles in degrees, all over the torus.
MapDefinition torus(Index m) {
  MapDefinition map{.points = 180.0 * samples::normal(m, 2, 3)};
  map.kernel.period = {360.0, 360.0};
  return map;
}

TEST(ScaleScan, EndsWhereAKernelHasGoneAroundThePeriod) {
  const ScaleScan scan = scan_scales(torus(200));
  ASSERT_FALSE(scan.rows.empty());
  EXPECT_LE(scan.rows[0].epsilon, std::pow(360.0 / (2.0 * std::numbers::pi), 2) * (1.0 + 1e-12));
  EXPECT_LT(scan.epsilon, scan.rows[0].epsilon);
}

// Steps that leave the data behind tell nothing, and cost most.
TEST(ScaleScan, BeginsWhereTheDriftDoesNotLeaveTheData) {
  MapDefinition map;
  map.method = Method::LocalKernelMap;
  map.points = samples::normal(300, 2, 3);
  map.drift = Points(-40.0 * map.points.view());
  map.diffusion = Diffusion::constant(1.0);
  const ScaleScan scan = scan_scales(map);
  ASSERT_FALSE(scan.rows.empty());
  EXPECT_LE(scan.rows.front().epsilon, 2.0 / 40.0 * 1.1);
  EXPECT_GT(scan.rows.front().epsilon, 0.5 / 40.0);
}

TEST(ScaleScan, AnAxisWithoutPeriodMayNeedAWiderKernel) {
  MapDefinition map = torus(200);
  map.kernel.period = {1.0, 0.0};
  const ScaleScan scan = scan_scales(map);
  ASSERT_FALSE(scan.rows.empty());
  EXPECT_GT(scan.rows[0].epsilon, 1.0);
}

TEST(ScaleScan, ABandwidthHasOneDimensionAtAllScales) {
  Points points = samples::normal(300, 2, 8);
  points.col(1) *= 0.1;
  MapDefinition strip;
  strip.points = points;
  strip.bandwidth.strength = 0.5;
  const ScaleScan automatic = scan_scales(strip);
  EXPECT_THAT(automatic.bandwidth_dimension, testing::AnyOf(1, 2));
  strip.bandwidth.dimension = automatic.bandwidth_dimension;
  const ScaleScan given = scan_scales(strip);
  ASSERT_EQ(given.rows.size(), automatic.rows.size());
  for (std::size_t k = 0; k < given.rows.size(); ++k) {
    EXPECT_EQ(given.rows[k].timescales, automatic.rows[k].timescales) << k;
  }
}

void expect_same_rows(const std::vector<ScaleScanRow>& rows, const std::vector<ScaleScanRow>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].epsilon, expected[k].epsilon);
    EXPECT_EQ(rows[k].points, expected[k].points);
    EXPECT_EQ(rows[k].timescales, expected[k].timescales);
    EXPECT_EQ(rows[k].neighbours, expected[k].neighbours);
    EXPECT_TRUE(same(rows[k].error(), expected[k].error())) << k;
  }
}

TEST(ScaleScan, ProcessesThatShareItFindTheSame) {
  MapDefinition local{.method = Method::LocalKernelMap, .points = samples::normal(400, 2, 7)};
  local.drift = -local.points.view();
  local.diffusion = Diffusion::constant(1.0);
  // One of a part that runs out of points, one that scans densities as well.
  const std::vector<std::pair<MapDefinition, ScaleScanOptions>> cases{
      {{.points = samples::normal(3000, 2, 5)}, {.most_points = 300}}, {local, {}}};
  for (const auto& [map, options] : cases) {
    const ScaleScan alone = scan_scales(map, options);
    ASSERT_GT(alone.rows.size(), 3U);
    for (const int size : {2, 4}) {
      test::ThreadRanks(size).run([&](const Ranks& ranks) {
        ScaleScanOptions shared = options;
        shared.execution.threads = 1;
        shared.ranks = &ranks;
        const ScaleScan scan = scan_scales(map, shared);
        EXPECT_EQ(scan.epsilon, alone.epsilon);
        EXPECT_EQ(scan.reason, alone.reason);
        expect_same_rows(scan.rows, alone.rows);
        expect_same_rows(scan.density, alone.density);
      });
    }
  }
}

/// A part that runs out of points before its errors are balanced.
ScaleScan scan_of_a_part(Index m, Index part) {
  return scan_scales({.points = samples::normal(m, 2, 5)}, {.most_points = part});
}

TEST(ScaleScan, ScalesThatOnlyAllPointsBearAreJudgedByLaw) {
  constexpr Index m = 20000;
  const ScaleScan scan = scan_of_a_part(m, 1000);
  const auto continued = [](const ScaleScanRow& row) { return row.points == 0; };
  const auto first = std::find_if(scan.rows.begin(), scan.rows.end(), continued);
  ASSERT_NE(first, scan.rows.begin());
  ASSERT_NE(first, scan.rows.end());
  const ScaleScanRow& tried = *(first - 1);
  EXPECT_TRUE(tried.usable);
  for (auto row = first; row != scan.rows.end(); ++row) {
    const double narrower = row->epsilon / tried.epsilon;
    EXPECT_TRUE(continued(*row) && row->usable);
    EXPECT_EQ(row->timescales.size(), 0);
    EXPECT_NEAR(row->bias, tried.bias * narrower, 1e-12 * tried.bias);
    EXPECT_GT(row->few_points, (row - 1)->few_points);
    EXPECT_GE(row->noise, (row - 1)->noise);
    // All points have as many neighbours there as the part had.
    EXPECT_GE(row->neighbours, 0.5 * tried.neighbours);
  }
  EXPECT_THAT(scan.report(), testing::HasSubstr("by law"));
}

TEST(ScaleScan, NoMapTakesMoreThanAnEighthOfManyPoints) {
  constexpr Index m = 20000;
  for (const ScaleScanRow& row : scan_of_a_part(m, 500).rows) {
    EXPECT_LE(row.points, m / 8) << row.epsilon;
  }
}

TEST(ScaleScan, ReportsInTheMiddleOfAScale) {
  std::multiset<std::string> seen;
  ScaleScanOptions options;
  options.execution.progress = [&](const ProgressUpdate& update) {
    seen.emplace(update.detail);
    // The reporter passes on a few updates a second: wait until it takes the next.
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return seen.count(std::string(update.detail)) < 2;
  };
  EXPECT_THROW(scan_scales(torus(200), options), Cancelled);
  EXPECT_EQ(seen.size(), 2U) << "not before the second scale";
}

}  // namespace
}  // namespace itomap
