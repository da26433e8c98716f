#include "scales/row_correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Correlations e^{-j/time} along the rows: tau = coth(1 / 2 time), about 2 time.
Points remembering(Index rows, double time, std::uint64_t seed) {
  const double a = std::exp(-1.0 / time);
  Points f = samples::normal(rows, 1, seed);
  for (Index t = 1; t < rows; ++t) {
    f(t, 0) = a * f(t - 1, 0) + std::sqrt(1.0 - a * a) * f(t, 0);
  }
  return f;
}

TEST(RowCorrelation, OfIndependentRowsIsOne) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const RowCorrelation c = row_correlation(samples::normal(20000, 2, seed));
    EXPECT_TRUE(c.resolved);
    // blocks of 8 rows: uncertain by (2 * 8 / 20000)^1/2 = 0.03
    EXPECT_LT(c.rows, 1.15);
  }
}

TEST(RowCorrelation, IsTwiceTheTimeInWhichCorrelationsDecay) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double time = 50.0;
    const RowCorrelation c = row_correlation(remembering(100000, time, seed));
    EXPECT_TRUE(c.resolved);
    // Blocks of 512 or 1024 rows miss a tenth of it, and are uncertain by (2 * 1024 / 100000)^1/2 = 0.14.
    EXPECT_NEAR(c.rows / (2.0 * time), 0.92, 0.42);
  }
}

TEST(RowCorrelation, TheSlowestFunctionCounts) {
  Points both(20000, 2);
  both << samples::normal(20000, 1, 5), remembering(20000, 20.0, 6);
  EXPECT_GT(row_correlation(both).rows, 20.0);
}

TEST(RowCorrelation, SaysWhenItSeesNoEnd) {
  Points ramp(1000, 1);
  ramp.col(0) = Vector::LinSpaced(1000, 0.0, 1.0);
  const RowCorrelation c = row_correlation(ramp);
  EXPECT_FALSE(c.resolved);
  EXPECT_GT(c.rows, 60.0);
}

TEST(RowCorrelation, DoesNotLookAcrossRuns) {
  // Runs of 16 equal rows each: within a run no end is seen, across runs there would be one.
  Points steps(1600, 1);
  const Points level = samples::normal(100, 1, 7);
  std::vector<Index> ends;
  for (Index run = 0; run < 100; ++run) {
    steps.middleRows(16 * run, 16).setConstant(level(run, 0));
    ends.push_back(16 * (run + 1));
  }
  EXPECT_TRUE(row_correlation(steps).resolved);
  EXPECT_FALSE(row_correlation(steps, ends).resolved);
}

TEST(RowCorrelation, AConstantHasNone) { EXPECT_EQ(row_correlation(Points::Ones(100, 1)).rows, 1.0); }

}  // namespace
}  // namespace itomap
