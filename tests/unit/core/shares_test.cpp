#include "itomap/core/shares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/thread_ranks.hpp"

namespace itomap {
namespace {

/// Bits that sums of doubles would not keep.
Vector numbers_of(Index task) {
  Vector x(task % 3 + 1);
  x.setConstant(-0.0);
  x[0] = task == 4 ? std::numeric_limits<double>::infinity() : 0.1 * double(task) - 0.3;
  return x;
}

TEST(Shares, AllHaveWhatEachHasDone) {
  for (const int size : {1, 2, 3, 5}) {
    std::vector<int> done(9, 0);
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      const Shares shares(&ranks);
      EXPECT_EQ(shares.processes(), size);
      std::vector<Vector> results(9);
      for (Index k = 0; k < 9; ++k) {
        if (shares.mine(k)) {
          results[std::size_t(k)] = numbers_of(k);
          ++done[std::size_t(k)];  // of one rank alone
        }
      }
      shares.complete(results);
      for (Index k = 0; k < 9; ++k) {
        const Vector expected = numbers_of(k);
        EXPECT_EQ(results[std::size_t(k)], expected);
        EXPECT_EQ(std::signbit(results[std::size_t(k)].tail(1)[0]), std::signbit(expected.tail(1)[0])) << k;
      }
    });
    EXPECT_EQ(done, std::vector<int>(9, 1));
  }
}

TEST(Shares, AProcessAloneHasAllTasks) {
  const Shares shares(nullptr);
  EXPECT_EQ(shares.processes(), 1);
  EXPECT_TRUE(shares.mine(0) && shares.mine(1));
}

}  // namespace
}  // namespace itomap
