#include "reproduce/bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

TEST(TimeBlocks, CoverEveryFrameOnce) {
  const auto blocks = time_blocks({1037, 25}, 100);
  ASSERT_EQ(blocks.size(), 20U);  // ten of each run, the short one's too
  Index next = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(blocks[k].run, 0U);
    EXPECT_EQ(blocks[k].begin, next);
    EXPECT_GE(blocks[k].frames, 100);
    next += blocks[k].frames;
  }
  EXPECT_EQ(next, 1037);
  EXPECT_EQ(blocks[19].begin + blocks[19].frames, 25);
}

TEST(TimeBlocks, AreDrawnWithReplacement) {
  const auto blocks = time_blocks({10000}, 100);
  const auto drawn = resampled(blocks, 1);
  ASSERT_EQ(drawn.size(), blocks.size());
  std::vector<int> often(blocks.size());
  for (const auto& block : drawn) {
    ++often[std::size_t(block.begin / 100)];
  }
  // each is left out with probability 1/e
  const auto left_out = std::count(often.begin(), often.end(), 0);
  EXPECT_GT(left_out, 20);
  EXPECT_LT(left_out, 55);
}

// x <- 0.9 x + noise has variance 1 and a memory of 19 frames: the mean of n of them has the error (19 / n)^1/2.
TEST(BlockBootstrap, KnowsTheErrorOfAMeanOfCorrelatedFrames) {
  samples::Random random(4);
  std::vector<double> x(40000);
  for (std::size_t t = 1; t < x.size(); ++t) {
    x[t] = 0.9 * x[t - 1] + std::sqrt(0.19) * random.normal();
  }
  const auto blocks = time_blocks({Index(x.size())}, 400);
  std::vector<double> means;
  for (std::uint64_t k = 1; k <= 200; ++k) {
    double sum = 0, count = 0;
    for (const auto& block : resampled(blocks, k)) {
      for (Index t = block.begin; t < block.begin + block.frames; ++t) {
        sum += x[std::size_t(t)];
        count += 1;
      }
    }
    means.push_back(sum / count);
  }
  const double exact = std::sqrt(19.0 / double(x.size()));
  EXPECT_NEAR(standard_deviation(means), exact, 0.25 * exact);  // 100 blocks tell it to 7 %, 200 draws to 5 %
}

TEST(StandardDeviation, LeavesOutWhatIsNoNumber) {
  EXPECT_DOUBLE_EQ(standard_deviation({1.0, NAN, 3.0}), std::sqrt(2.0));
  EXPECT_TRUE(std::isnan(standard_deviation({1.0, NAN})));
}

}  // namespace
}  // namespace itomap::reproduce
