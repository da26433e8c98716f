#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "core/context.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(Parallel, VisitsEveryElementOnce) {
  for (const int threads : {1, 2, 5}) {
    const Execution execution{.threads = threads};
    const ExecutionScope scope(execution);
    std::vector<std::atomic<int>> visits(1003);
    parallel_chunks(1003, 10, [&](Index begin, Index end) {
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
  parallel_chunks(0, 10, [](Index, Index) { FAIL(); });
}

TEST(Parallel, PassesOnAnExceptionFromAnyThread) {
  const auto fail_late = [](Index begin, Index) {
    if (begin == 70) {
      throw NumericalError("chunk 7");
    }
  };
  for (const int threads : {1, 3}) {
    const Execution execution{.threads = threads};
    const ExecutionScope scope(execution);
    EXPECT_THROW(parallel_chunks(100, 10, fail_late), NumericalError);
  }
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto sum = [](int threads) {
    const Execution execution{.threads = threads};
    const ExecutionScope scope(execution);
    return parallel_sum(100000, 777, 1, 1, [](Index begin, Index end) {
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
  const Execution refusing{.threads = 1, .progress = [](const ProgressUpdate&) { return false; }};
  const ExecutionScope scope(refusing);
  Reporter reporter("test");
  EXPECT_THROW(parallel_chunks(
                   1000000, 1, [&](Index, Index) { ++chunks; }, &reporter),
               Cancelled);
  EXPECT_EQ(chunks, 1);
}

TEST(Reporter, ReportsStageAndShareFromTheStart) {
  std::string stage;
  double fraction = -1.0;
  const Execution execution{.progress = [&](const ProgressUpdate& update) {
    stage = update.stage;
    fraction = update.fraction;
    return true;
  }};
  const ExecutionScope scope(execution);
  Reporter reporter("kernel");
  EXPECT_TRUE(reporter.report(0.25));
  EXPECT_EQ(stage, "kernel");
  EXPECT_EQ(fraction, 0.25);
}

}  // namespace
}  // namespace itomap
