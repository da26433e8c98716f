#include "itomap/scales/scale_scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <thread>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

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
