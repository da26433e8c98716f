#include "core/random.hpp"

#include <gtest/gtest.h>

namespace itomap {
using namespace detail;
namespace {

TEST(Random, SameSeedSameNumbersOtherSeedOthers) {
  EXPECT_EQ(random_block(50, 3, 7), random_block(50, 3, 7));
  EXPECT_NE(random_block(50, 3, 7), random_block(50, 3, 8));
}

TEST(Random, FillsTheIntervalEvenly) {
  const Block x = random_block(100000, 1, 1);
  EXPECT_LE(x.cwiseAbs().maxCoeff(), 1.0);
  EXPECT_NEAR(x.mean(), 0.0, 5.0 / std::sqrt(3.0 * 1e5));  // five standard errors
  EXPECT_NEAR(x.squaredNorm() / 1e5, 1.0 / 3.0, 5.0 * 0.3 / std::sqrt(1e5));
}

TEST(Random, NormalNumbersHaveTheirMoments) {
  RandomStream stream(3);
  constexpr double n = 200000;
  double first = 0, second = 0, fourth = 0, neighbours = 0, before = stream.normal();
  for (int i = 0; i < int(n); ++i) {
    const double x = stream.normal();
    first += x / n;
    second += x * x / n;
    fourth += x * x * x * x / n;
    neighbours += x * before / n;
    before = x;
  }
  EXPECT_NEAR(first, 0.0, 5.0 / std::sqrt(n));  // five standard errors
  EXPECT_NEAR(second, 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth, 3.0, 5.0 * std::sqrt(96.0 / n));
  EXPECT_NEAR(neighbours, 0.0, 5.0 / std::sqrt(n));
}

}  // namespace
}  // namespace itomap
