#include "core/random.hpp"

#include <cmath>

namespace itomap::detail {

std::uint64_t RandomStream::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// A point uniform in the unit disc, its radius stretched (Marsaglia's polar method): no sine, and two numbers at a
// time.
double RandomStream::normal() {
  has_spare_ = !has_spare_;
  if (!has_spare_) {
    return spare_;
  }
  double x = 0.0, y = 0.0, square = 0.0;
  do {
    x = symmetric();
    y = symmetric();
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double stretch = std::sqrt(-2.0 * std::log(square) / square);
  spare_ = stretch * y;
  return stretch * x;
}

Block random_block(Index rows, Index cols, std::uint64_t seed) {
  RandomStream stream(seed);
  Block block(rows, cols);
  for (Index i = 0; i < block.size(); ++i) {
    block.data()[i] = stream.symmetric();
  }
  return block;
}

}  // namespace itomap::detail
