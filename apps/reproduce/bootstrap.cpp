#include "reproduce/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace itomap::reproduce {

std::vector<TimeBlock> time_blocks(const std::vector<Index>& run_lengths, Index frames) {
  constexpr Index fewest = 10;
  std::vector<TimeBlock> blocks;
  for (std::size_t run = 0; run < run_lengths.size(); ++run) {
    const Index length = run_lengths[run];
    const Index count = std::max(length / frames, std::min(fewest, length));
    for (Index k = 0; k < count; ++k) {
      const Index begin = k * length / count;
      blocks.push_back({run, begin, (k + 1) * length / count - begin});
    }
  }
  return blocks;
}

std::vector<TimeBlock> resampled(const std::vector<TimeBlock>& blocks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> any(0, blocks.size() - 1);
  std::vector<TimeBlock> drawn;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    drawn.push_back(blocks[any(random)]);
  }
  return drawn;
}

double standard_deviation(const std::vector<double>& values) {
  double count = 0, sum = 0, squares = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      count += 1;
      sum += value;
    }
  }
  for (const double value : values) {
    squares += std::isfinite(value) ? (value - sum / count) * (value - sum / count) : 0;
  }
  return count < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares / (count - 1));
}

}  // namespace itomap::reproduce
