#include "io/run_apart.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace itomap::test {
namespace {

TEST(RunApart, LeavesWhatIsInSharedMemoryAndNothingElse) {
  const auto shared = std::static_pointer_cast<int>(detail::shared_memory(sizeof(int)));
  EXPECT_EQ(*shared, 0);
  int own = 1;
  EXPECT_TRUE(detail::run_apart([&] { own = *shared = 7; }, 10));
  EXPECT_EQ(*shared, 7);
  EXPECT_EQ(own, 1);
}

TEST(RunApart, SurvivesWhatTheChildDoesNot) {
  EXPECT_FALSE(detail::run_apart([] { std::raise(SIGSEGV); }, 10));
  EXPECT_FALSE(detail::run_apart([] { std::abort(); }, 10));
  EXPECT_FALSE(detail::run_apart([] { std::_Exit(0); }, 10));
  EXPECT_FALSE(detail::run_apart([] { throw std::runtime_error("lost"); }, 10));
}

TEST(RunApart, EndsWhatNeverEnds) {
  EXPECT_FALSE(detail::run_apart(
      [] {
        for (std::atomic<bool> forever = true; forever;) {
        }
      },
      1));
}

TEST(RunApart, PrintsNothing) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(detail::run_apart([] { std::fputs("noise\n", stderr); }, 10));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace itomap::test
