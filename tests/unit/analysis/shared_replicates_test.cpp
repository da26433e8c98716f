// Error bars whose replicates several processes share: the same numbers as those of one.
#include <gtest/gtest.h>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/same_bits.hpp"
#include "support/samples.hpp"
#include "support/thread_ranks.hpp"

namespace itomap {
namespace {

using test::same_bits;

void expect_shared(const Map& map, bool functions) {
  const Spectrum spectrum = eigenpairs(map, {.count = 3});
  const ErrorBarOptions options{.blocks = 5, .functions = functions};
  const ErrorBars alone = error_bars(map, spectrum, options);
  for (const int size : {2, 3, 7}) {
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      ErrorBarOptions shared = options;
      shared.ranks = &ranks;
      const ErrorBars bars = error_bars(map, spectrum, shared);
      EXPECT_TRUE(same_bits(bars.extrapolated, alone.extrapolated)) << size;
      EXPECT_TRUE(same_bits(bars.extrapolated_error, alone.extrapolated_error)) << size;
      EXPECT_TRUE(same_bits(bars.noise, alone.noise)) << size;
      EXPECT_TRUE(same_bits(bars.function_errors.re, alone.function_errors.re)) << size;
      EXPECT_EQ(bars.warnings, alone.warnings);
    });
  }
}

TEST(SharedReplicates, ReversibleMaps) {
  const Points points = samples::skewed_ball(400, 2, 1.0, 2);
  const Map map = target_measure_map(points, -points.rowwise().squaredNorm(), {.epsilon = 0.05});
  expect_shared(map, true);
}

TEST(SharedReplicates, LocalKernelMaps) {
  const Points points = samples::normal(400, 2, 3);
  Points drift = -points;
  drift.col(0) += 2.0 * points.col(1);
  drift.col(1) -= 2.0 * points.col(0);
  expect_shared(local_kernel_map(points, drift, Diffusion::constant(1.0), {.epsilon = 0.1}), false);
}

}  // namespace
}  // namespace itomap
