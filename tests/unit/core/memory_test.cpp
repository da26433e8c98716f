#include "core/memory.hpp"

#include <gtest/gtest.h>

#include "core/context.hpp"

namespace itomap {
using namespace detail;
namespace {

TEST(Memory, FormatsBytesForPeople) {
  EXPECT_EQ(format_bytes(17), "17 B");
  EXPECT_EQ(format_bytes(1500), "1.5 kB");
  EXPECT_EQ(format_bytes(3.24e9), "3.2 GB");
}

TEST(Memory, BudgetIsWhatWasAskedForOrMostOfWhatThereIs) {
  EXPECT_LE(memory_budget(), available_memory_bytes());
  EXPECT_GT(memory_budget(), 1U << 20);
  const Execution little{.memory = 1000};
  const ExecutionScope scope(little);
  EXPECT_EQ(memory_budget(), 1000U);
}

TEST(Memory, PeakIsPlausible) {
  EXPECT_GT(peak_memory_bytes(), 1U << 20);
  EXPECT_LT(peak_memory_bytes(), std::size_t(1) << 45);
}

}  // namespace
}  // namespace itomap
