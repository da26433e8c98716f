#include "scales/blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace itomap {
using namespace detail;
namespace {

using testing::ElementsAre;

std::vector<Index> ends_of(const Blocks& blocks) {
  std::vector<Index> ends;
  for (Index b = 0; b < blocks.count(); ++b) {
    ends.push_back(blocks.end(b));
  }
  return ends;
}

TEST(Blocks, AreConsecutiveAndCoverAllRows) {
  const Blocks blocks = make_blocks(7, 3);
  EXPECT_THAT(ends_of(blocks), ElementsAre(2, 4, 7));
  EXPECT_THAT(blocks.without(0), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(blocks.without(1), ElementsAre(0, 1, 4, 5, 6));
  EXPECT_THAT(blocks.without(2), ElementsAre(0, 1, 2, 3));
}

TEST(Blocks, AreFewerWhereRowsRememberEachOther) {
  EXPECT_EQ(make_blocks(1000, 10, {}, 50.0).count(), 10);
  EXPECT_EQ(make_blocks(1000, 10, {}, 200.0).count(), 5);
  EXPECT_EQ(make_blocks(1000, 10, {}, 5000.0).count(), 2) << "a jackknife needs two";
}

TEST(Blocks, DoNotReachAcrossTheEndOfALongRun) {
  EXPECT_THAT(ends_of(make_blocks(100, 4, {50, 100})), ElementsAre(25, 50, 75, 100));
  EXPECT_THAT(ends_of(make_blocks(100, 4, {30, 100})), ElementsAre(30, 53, 76, 100));
}

TEST(Blocks, HoldWholeRunsWhereTheseAreMany) {
  EXPECT_THAT(ends_of(make_blocks(60, 3, {9, 21, 33, 38, 52, 60})), ElementsAre(21, 38, 60));
  // Runs are independent of each other, however long the memory of each.
  EXPECT_EQ(make_blocks(60, 3, {9, 21, 33, 38, 52, 60}, 1000.0).count(), 3);
}

TEST(Blocks, ALongRunAmongShortOnesIsOneBlock) {
  EXPECT_THAT(ends_of(make_blocks(100, 4, {5, 95, 97, 100})), ElementsAre(5, 95, 100));
}

}  // namespace
}  // namespace itomap
