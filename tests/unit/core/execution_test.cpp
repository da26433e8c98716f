#include "itomap/core/execution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(Execution, ValidateNamesTheMemberAndItsRange) {
  EXPECT_NO_THROW(Execution{}.validate());
  EXPECT_THAT([] { Execution{.threads = -1}.validate(); },
              testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("threads: -1")));
}

TEST(ExecutionScope, TheInnermostCounts) {
  const Execution outer{.threads = 3, .memory = 500};
  const Execution inner{.threads = 2};
  const ExecutionScope first(outer);
  {
    const ExecutionScope second(inner);
    EXPECT_EQ(current_threads(), 2);
    EXPECT_NE(memory_budget(), 500U);
  }
  EXPECT_EQ(current_threads(), 3);
  EXPECT_EQ(memory_budget(), 500U);
}

TEST(ExecutionScope, WithoutOneAllCoresAreTaken) {
  EXPECT_EQ(current_threads(), int(std::max(1U, std::thread::hardware_concurrency())));
}

TEST(ExecutionScope, GoesAlongIntoTheThreadsOfALoop) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> wrong{0};
  std::atomic<int> arrived{0};
  const Execution execution{.threads = 3, .memory = 500, .progress = [](const ProgressUpdate&) { return true; }};
  const ExecutionScope scope(execution);
  parallel_chunks(3, 1, [&](Index, Index) {
    ++arrived;
    arrived.notify_all();
    for (int now = arrived.load(); now < 3; now = arrived.load()) {
      arrived.wait(now);
    }
    const bool own = std::this_thread::get_id() == caller;
    wrong += current_threads() == 3 && memory_budget() == 500 && bool(current_execution().progress) == own ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0) << "threads that see other limits, or a callback that is not for them";
}

}  // namespace
}  // namespace itomap
