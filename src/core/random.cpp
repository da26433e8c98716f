#include "core/random.hpp"

namespace itomap {

std::uint64_t RandomStream::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

Block random_block(Index rows, Index cols, std::uint64_t seed) {
  RandomStream stream(seed);
  Block block(rows, cols);
  for (Index i = 0; i < block.size(); ++i) {
    block.data()[i] = stream.symmetric();
  }
  return block;
}

}  // namespace itomap
