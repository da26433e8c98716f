#include "kernel/pairs/row_parts.hpp"

#include <gtest/gtest.h>

#include "support/thread_ranks.hpp"

namespace itomap {
using namespace detail;
namespace {

/// How many blocks each of the ranks has, and that they are all blocks in their order.
std::vector<Index> dealt(int size, const std::vector<double>& costs) {
  std::vector<Index> begins(static_cast<std::size_t>(size));
  std::vector<Index> counts(static_cast<std::size_t>(size));
  test::ThreadRanks(size).run([&](const Ranks& ranks) {
    RowParts parts(Index(costs.size()) * 64 - 5, 64, &ranks);
    parts.balance(costs);
    begins[std::size_t(ranks.rank())] = parts.begin();
    counts[std::size_t(ranks.rank())] = parts.end() - parts.begin();
    EXPECT_EQ(parts.mine(parts.begin()), parts.begin() < parts.end());
    EXPECT_FALSE(parts.mine(parts.end()));
  });
  Index next = 0;
  for (std::size_t r = 0; r < begins.size(); ++r) {
    EXPECT_EQ(begins[r], next);
    next += counts[r];
  }
  EXPECT_EQ(next, Index(costs.size()));
  return counts;
}

TEST(RowParts, BlocksAreDealtByWhatTheyCost) {
  EXPECT_EQ(dealt(1, {1, 1, 1}), (std::vector<Index>{3}));
  EXPECT_EQ(dealt(3, {1, 1, 1, 1, 1, 1}), (std::vector<Index>{2, 2, 2}));
  EXPECT_EQ(dealt(2, {6, 1, 1, 1, 1, 1, 1}), (std::vector<Index>{1, 6}));
  EXPECT_EQ(dealt(3, {0, 0, 9, 0, 0}).size(), 3U);  // somebody has all there is to do
  const auto few = dealt(4, {1, 1});
  EXPECT_EQ(few[0] + few[1] + few[2] + few[3], 2);
  EXPECT_EQ(dealt(2, {}), (std::vector<Index>{0, 0}));
}

TEST(RowParts, EverybodyHasAllRowsAfterwards) {
  constexpr Index points = 5 * 64 + 7;
  for (const int size : {1, 2, 4}) {
    test::ThreadRanks(size).run([&](const Ranks& ranks) {
      const RowParts parts(points, 64, &ranks);
      std::vector<double> rows(points, -1.0);
      Slabs vectors(points, 5);
      for (Index i = parts.begin() * 64; i < std::min(points, parts.end() * 64); ++i) {
        rows[std::size_t(i)] = 0.1 * double(i);
        *vectors.at(0, i) = -0.3 * double(i);
      }
      parts.share(rows);
      parts.share(vectors);
      for (Index i = 0; i < points; ++i) {
        EXPECT_EQ(rows[std::size_t(i)], 0.1 * double(i));
        EXPECT_EQ(*vectors.at(0, i), -0.3 * double(i));
      }
    });
  }
}

}  // namespace
}  // namespace itomap
