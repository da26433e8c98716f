#include "core/random.hpp"

#include <gtest/gtest.h>

namespace itomap {
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

}  // namespace
}  // namespace itomap
