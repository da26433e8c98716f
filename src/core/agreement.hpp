// What processes that share a computation must have in common, so that they take the same decisions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "itomap/core/execution.hpp"

namespace itomap::detail {

/// The ranks of the present execution; null where there is one process only.
const Ranks* current_ranks();

/// Everybody gets everybody's numbers, bit by bit; each has +0.0 where the numbers are another's.
void merge_bits(const Ranks& ranks, std::span<double> numbers);

/// Throws InvalidArgument unless all processes have the same number; `what` differs between them.
void check_alike(const Ranks& ranks, std::uint64_t number, std::string_view what);

/// A number that tells one array from another.
std::uint64_t fingerprint(std::span<const double> numbers, std::uint64_t before = 0);

/// The execution with what each of the processes may take of its machine: of memory the least of all, so that decisions
/// that depend on it are the same, and of cores its share. Throws InvalidArgument where processors are of different
/// kinds, whose loops round differently.
Execution agreed_execution(Execution execution);

}  // namespace itomap::detail
