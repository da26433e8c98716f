#include "core/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "core/context.hpp"
#include "core/instruction_set.hpp"
#include "core/memory.hpp"
#include "itomap/core/error.hpp"

namespace itomap {

void Ranks::share(std::span<double> numbers, std::span<const std::size_t> ends) const {
  if (size() == 1) {
    return;
  }
  const std::size_t begin = rank() == 0 ? 0 : ends[std::size_t(rank()) - 1];
  std::fill(numbers.begin(), numbers.begin() + std::ptrdiff_t(begin), 0.0);
  std::fill(numbers.begin() + std::ptrdiff_t(ends[std::size_t(rank())]), numbers.end(), 0.0);
  detail::merge_bits(*this, numbers);
}

}  // namespace itomap

namespace itomap::detail {

const Ranks* current_ranks() {
  const Ranks* ranks = current_execution().ranks;
  return ranks != nullptr && ranks->size() > 1 ? ranks : nullptr;
}

void merge_bits(const Ranks& ranks, std::span<double> numbers) {
  // Somebody's bits, and zeros of all others: what is added up is what was sent.
  std::vector<std::int64_t> bits(numbers.size());
  std::transform(numbers.begin(), numbers.end(), bits.begin(), [](double x) { return std::bit_cast<std::int64_t>(x); });
  ranks.add(bits);
  std::transform(bits.begin(), bits.end(), numbers.begin(), [](std::int64_t b) { return std::bit_cast<double>(b); });
}

void check_alike(const Ranks& ranks, std::uint64_t number, std::string_view what) {
  // Halves are doubles without rounding; the largest of x and of -x are the same number only if all are.
  const double high = double(number >> 32U);
  const double low = double(number & 0xffffffffU);
  double both[] = {high, -high, low, -low};
  ranks.largest(both);
  if (both[0] != -both[1] || both[2] != -both[3]) {
    throw InvalidArgument(fmt::format("{} differs between the processes; all must be given the same", what));
  }
}

std::uint64_t fingerprint(std::span<const double> numbers, std::uint64_t before) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = (before ^ numbers.size()) * odd;
  for (const double x : numbers) {
    hash = (std::rotl(hash, 29) ^ std::bit_cast<std::uint64_t>(x)) * odd;
  }
  return hash;
}

Execution agreed_execution(Execution execution) {
  if (execution.ranks == nullptr || execution.ranks->size() == 1) {
    return execution;
  }
  const Ranks& ranks = *execution.ranks;
  check_alike(ranks, runs_avx2() ? 1 : 0, "the kind of processor (AVX2 or not)");
  const ExecutionScope scope(execution);
  const std::size_t own = execution.memory ? memory_budget() : memory_budget() / std::size_t(ranks.on_this_machine());
  double least = -double(own);
  ranks.largest({&least, 1});
  execution.memory = std::size_t(-least);
  if (execution.threads == 0) {
    execution.threads = std::max(1, current_threads() / ranks.on_this_machine());
  }
  return execution;
}

}  // namespace itomap::detail
