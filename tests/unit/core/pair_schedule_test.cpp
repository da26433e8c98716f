#include "core/pair_schedule.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <utility>

#include "core/context.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(PairSchedule, EveryPairOnceAndEachBlockInTheSameOrder) {
  for (const Index blocks : {0, 1, 2, 5, 8}) {
    const PairSchedule schedule(blocks, [](Index, Index) { return false; });
    EXPECT_EQ(schedule.tasks(), blocks * (blocks + 1) / 2);
    std::vector<std::vector<std::vector<Index>>> seen;
    for (const int threads : {1, 4}) {
      const Execution execution{.threads = threads};
      const ExecutionScope scope(execution);
      std::vector<std::vector<Index>> partners(static_cast<std::size_t>(blocks));
      schedule.run([&](Index a, Index b) {
        EXPECT_LE(a, b);
        partners[std::size_t(a)].push_back(b);
        if (a != b) {
          partners[std::size_t(b)].push_back(a);
        }
      });
      seen.push_back(partners);
      for (const auto& list : partners) {
        EXPECT_EQ(Index(list.size()), blocks);
      }
    }
    EXPECT_EQ(seen[0], seen[1]);
  }
}

TEST(PairSchedule, LeavesEmptyPairsOut) {
  const PairSchedule schedule(6, [](Index a, Index b) { return b > a + 1; });
  EXPECT_EQ(schedule.tasks(), 6 + 5);
}

TEST(PairSchedule, AnErrorEndsTheRunInsteadOfHangingIt) {
  const PairSchedule schedule(9, [](Index, Index) { return false; });
  const auto fail = [](Index a, Index b) {
    if (a == 3 && b == 5) {
      throw std::runtime_error("stop");
    }
  };
  const Execution three{.threads = 3};
  const ExecutionScope scope(three);
  EXPECT_THROW(schedule.run(fail), std::runtime_error);
}

}  // namespace
}  // namespace itomap
