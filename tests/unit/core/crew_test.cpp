#include "core/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/context.hpp"
#include "core/parallel.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr int threads = 4;
const Execution four{.threads = threads};
const Execution two{.threads = 2};

/// Counts the visits of a loop over n elements; each should be visited once.
std::vector<int> visits(Index n, Index chunk) {
  const ExecutionScope scope(four);
  std::vector<int> count(std::size_t(n), 0);
  parallel_chunks(n, chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      ++count[std::size_t(i)];
    }
  });
  return count;
}

/// Chunks that wait here for each other need all threads.
void wait_for_all(std::atomic<int>& arrived) {
  ++arrived;
  arrived.notify_all();
  for (int now = arrived.load(); now < threads; now = arrived.load()) {
    arrived.wait(now);
  }
}

/// Which threads work on a loop whose chunks wait for each other, so that it needs them all.
std::set<std::thread::id> workers() {
  const ExecutionScope scope(four);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> arrived{0};
  parallel_chunks(threads, 1, [&](Index, Index) {
    {
      const std::scoped_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    wait_for_all(arrived);
  });
  return seen;
}

TEST(Crew, RunsManyLoopsWithTheSameThreads) {
  const ExecutionScope scope(four);
  const Crew crew;
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
  const ExecutionScope scope(two);
  Crew crew;
  EXPECT_EQ(Crew::idle(), &crew);
  std::atomic<int> found{0};
  parallel_chunks(64, 1, [&](Index, Index) { found += Crew::idle() == nullptr ? 0 : 1; });
  EXPECT_EQ(found, 0);
  std::thread([&] { found += Crew::idle() == nullptr ? 0 : 1; }).join();
  EXPECT_EQ(found, 0);
  EXPECT_EQ(Crew::idle(), &crew);
}

TEST(Crew, ASecondOneLeavesTheFirstAlone) {
  const ExecutionScope scope(two);
  const Crew outer;
  const Crew* const first = Crew::idle();
  {
    const Crew inner;
    EXPECT_EQ(Crew::idle(), first);
  }
  EXPECT_EQ(Crew::idle(), first);
}

TEST(Crew, LoopsWithinLoopsStartTheirOwnThreads) {
  const ExecutionScope scope(four);
  const Crew crew;
  std::atomic<int> sum{0};
  parallel_chunks(8, 1, [&](Index, Index) {
    const auto inner = visits(100, 10);
    sum += std::accumulate(inner.begin(), inner.end(), 0);
  });
  EXPECT_EQ(sum, 800);
}

TEST(Crew, SurvivesAnException) {
  const ExecutionScope scope(four);
  const Crew crew;
  for (int loop = 0; loop < 50; ++loop) {
    const auto loop_that_throws = [] {
      parallel_chunks(100, 1, [](Index begin, Index) {
        if (begin == 50) {
          throw std::runtime_error("here");
        }
      });
    };
    EXPECT_THROW(loop_that_throws(), std::runtime_error);
    ASSERT_EQ(visits(100, 1), std::vector<int>(100, 1));
  }
}

TEST(Crew, EveryThreadMayHaveOne) {
  std::atomic<int> wrong{0};
  const auto work = [&] {
    const Execution three{.threads = 3};
    const ExecutionScope scope(three);
    const Crew crew;
    for (int loop = 0; loop < 100; ++loop) {
      wrong += visits(500, 9) == std::vector<int>(500, 1) ? 0 : 1;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Operations, AShortLoopRunsOnTheCallingThreadAlone) {
  const ExecutionScope scope(four);
  std::set<std::thread::id> seen;
  parallel_chunks(64, 1, Operations{1000.0}, [&](Index, Index) { seen.insert(std::this_thread::get_id()); });
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(Operations, ALongLoopRunsOnAllThreads) {
  const ExecutionScope scope(four);
  std::atomic<int> arrived{0};
  parallel_chunks(threads, 1, Operations{1e7}, [&](Index, Index) { wait_for_all(arrived); });
  EXPECT_EQ(arrived, threads);
}

}  // namespace
}  // namespace itomap
