// A small random stream with the same numbers on every platform.
#pragma once

#include <cstdint>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// SplitMix64: one 64-bit state, passes the usual tests, needs no warm-up. Good for start vectors and subsamples.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in (-1, 1).
  double symmetric() { return double(std::int64_t(next())) * 0x1p-63; }
  /// Uniform in [0, 1).
  double uniform() { return double(next() >> 11U) * 0x1p-53; }
  /// Standard normal.
  double normal();

 private:
  std::uint64_t state_;
  double spare_ = 0.0;  // normal numbers come in pairs
  bool has_spare_ = false;
};

/// m x b entries uniform in (-1, 1), filled row by row.
Block random_block(Index rows, Index cols, std::uint64_t seed);

}  // namespace itomap::detail
