#include "core/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/parallel.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr int threads = 4;

/// Counts the visits of a loop over n elements; each should be visited once.
std::vector<int> visits(Index n, Index chunk) {
  std::vector<int> count(std::size_t(n), 0);
  parallel_chunks(n, chunk, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      ++count[std::size_t(i)];
    }
  });
  return count;
}

/// Which threads work on a loop whose chunks wait for each other, so that it needs them all.
std::set<std::thread::id> workers() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> arrived{0};
  parallel_chunks(threads, 1, threads, [&](Index, Index) {
    {
      const std::scoped_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    ++arrived;
    arrived.notify_all();
    for (int now = arrived.load(); now < threads; now = arrived.load()) {
      arrived.wait(now);
    }
  });
  return seen;
}

TEST(Crew, RunsManyLoopsWithTheSameThreads) {
  const Crew crew(threads);
  const auto first = workers();
  EXPECT_EQ(first.size(), std::size_t(threads));
  for (int loop = 0; loop < 200; ++loop) {
    ASSERT_EQ(workers(), first);
    ASSERT_EQ(visits(1000, 7), std::vector<int>(1000, 1));
    ASSERT_EQ(visits(2, 1), std::vector<int>(2, 1));
  }
}

TEST(Crew, IsIdleOnlyBetweenLoopsOfItsOwner) {
  EXPECT_EQ(Crew::idle(), nullptr);
  Crew crew(2);
  EXPECT_EQ(Crew::idle(), &crew);
  std::atomic<int> found{0};
  parallel_chunks(64, 1, 2, [&](Index, Index) { found += Crew::idle() == nullptr ? 0 : 1; });
  EXPECT_EQ(found, 0);
  std::thread([&] { found += Crew::idle() == nullptr ? 0 : 1; }).join();
  EXPECT_EQ(found, 0);
  EXPECT_EQ(Crew::idle(), &crew);
}

TEST(Crew, ASecondOneLeavesTheFirstAlone) {
  const Crew outer(2);
  const Crew* const first = Crew::idle();
  {
    const Crew inner(2);
    EXPECT_EQ(Crew::idle(), first);
  }
  EXPECT_EQ(Crew::idle(), first);
}

TEST(Crew, LoopsWithinLoopsStartTheirOwnThreads) {
  const Crew crew(threads);
  std::atomic<int> sum{0};
  parallel_chunks(8, 1, threads, [&](Index, Index) {
    const auto inner = visits(100, 10);
    sum += std::accumulate(inner.begin(), inner.end(), 0);
  });
  EXPECT_EQ(sum, 800);
}

TEST(Crew, SurvivesAnException) {
  const Crew crew(threads);
  for (int loop = 0; loop < 50; ++loop) {
    const auto loop_that_throws = [] {
      parallel_chunks(100, 1, threads, [](Index begin, Index) {
        if (begin == 50) throw std::runtime_error("here");
      });
    };
    EXPECT_THROW(loop_that_throws(), std::runtime_error);
    ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
  }
}

TEST(Crew, EveryThreadMayHaveOne) {
  std::atomic<int> wrong{0};
  const auto work = [&] {
    const Crew crew(3);
    for (int loop = 0; loop < 100; ++loop) {
      wrong += visits(500, 9) == std::vector<int>(500, 1) ? 0 : 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadsFor, AShortLoopNeedsNone) {
  EXPECT_EQ(threads_for(1000.0, 8), 1);
  EXPECT_EQ(threads_for(1e7, 8), 8);
  EXPECT_EQ(threads_for(1e7, 0), 0) << "all cores";
}

}  // namespace
}  // namespace itomap
