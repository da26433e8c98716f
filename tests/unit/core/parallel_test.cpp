#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(Parallel, VisitsEveryElementOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> visits(1003);
    parallel_chunks(1003, 10, threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        ++visits[std::size_t(i)];
      }
    });
    for (const auto& count : visits) {
      EXPECT_EQ(count, 1);
    }
  }
}

TEST(Parallel, EmptyRangeCallsNothing) {
  parallel_chunks(0, 10, 4, [](Index, Index) { FAIL(); });
}

TEST(Parallel, PassesOnAnExceptionFromAnyThread) {
  const auto fail_late = [](Index begin, Index) {
    if (begin == 70) {
      throw NumericalError("chunk 7");
    }
  };
  for (const int threads : {1, 3}) {
    EXPECT_THROW(parallel_chunks(100, 10, threads, fail_late), NumericalError);
  }
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto sum = [](int threads) {
    return parallel_sum(100000, 777, threads, 1, 1, [](Index begin, Index end) {
      double s = 0.0;
      for (Index i = begin; i < end; ++i) {
        s += std::sin(double(i));
      }
      return Matrix::Constant(1, 1, s);
    })(0, 0);
  };
  const double one = sum(1);
  EXPECT_EQ(one, sum(2));
  EXPECT_EQ(one, sum(7));
}

TEST(Parallel, StopsWhenTheCallbackSaysSo) {
  std::atomic<int> chunks = 0;
  const Progress refuse = [](const ProgressUpdate&) { return false; };
  Reporter reporter(refuse, "test");
  EXPECT_THROW(parallel_chunks(
                   1000000, 1, 1, [&](Index, Index) { ++chunks; }, &reporter),
               Cancelled);
  EXPECT_EQ(chunks, 1);
}

TEST(Reporter, ReportsStageAndShareFromTheStart) {
  std::string stage;
  double fraction = -1.0;
  const Progress keep = [&](const ProgressUpdate& update) {
    stage = update.stage;
    fraction = update.fraction;
    return true;
  };
  Reporter reporter(keep, "kernel");
  EXPECT_TRUE(reporter.report(0.25));
  EXPECT_EQ(stage, "kernel");
  EXPECT_EQ(fraction, 0.25);
}

}  // namespace
}  // namespace itomap
