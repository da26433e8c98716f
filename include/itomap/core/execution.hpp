// How a computation runs: on how many threads, in how much memory, and how it reports back and is stopped.
//
// Nothing of it changes what is computed: results have the same bits for any number of threads. A map keeps the
// execution that it was made with, and whatever is computed from the map runs the same way.
//
// The library never prints. It calls `progress` from the calling thread only, a few times a second; a callback that
// returns false stops the computation, which then throws Cancelled and leaves nothing behind.
//
//   const auto map = itomap::diffusion_map(points, {.epsilon = 0.01, .execution = {.threads = 2}});
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "itomap/core/ranks.hpp"

namespace itomap {

struct ProgressUpdate {
  std::string_view stage;   ///< what is being done: "kernel", "eigenpairs", ...
  double fraction = -1.0;   ///< share done, 0 to 1; negative when it cannot be known
  std::string_view detail;  ///< a short remark, may be empty: "6 of 11 converged"
};

/// Returns true to go on, false to stop.
using Progress = std::function<bool(const ProgressUpdate&)>;

// Every member of an options struct has an initialiser: {.threads = 2} then compiles without -Wextra complaints.
struct Execution {
  int threads = 0;                      ///< 0 takes all cores
  std::optional<std::size_t> memory{};  ///< the most that kernel and eigenvectors may take, in bytes; unset: 80 % of
                                        ///< what is available now
  Progress progress{};

  /// Processes that share a map's work: all make the same calls with the same input, and all have the results. What is
  /// stored of a kernel is dealt out by rows; everything else is held, and done, by everybody. They must outlive the
  /// map. Null: this process alone.
  const Ranks* ranks = nullptr;

  /// Throws InvalidArgument that names the member, its value and its range.
  void validate() const;
};

}  // namespace itomap
