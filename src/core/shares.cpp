#include "itomap/core/shares.hpp"

#include <bit>
#include <cstdint>

namespace itomap {

void Shares::complete(std::vector<Vector>& results) const {
  if (processes() == 1) {
    return;
  }
  std::vector<std::int64_t> sizes(results.size(), 0);
  for (std::size_t k = 0; k < results.size(); ++k) {
    sizes[k] = mine(Index(k)) ? results[k].size() : 0;
  }
  ranks_->add(sizes);
  std::vector<std::int64_t> bits;
  for (std::size_t k = 0; k < results.size(); ++k) {
    // Somebody's bits, and zeros of all others: what is added up is what was sent.
    bits.assign(std::size_t(sizes[k]), 0);
    for (std::size_t e = 0; mine(Index(k)) && e < bits.size(); ++e) {
      bits[e] = std::bit_cast<std::int64_t>(results[k][Index(e)]);
    }
    ranks_->add(bits);
    results[k].resize(sizes[k]);
    for (std::size_t e = 0; e < bits.size(); ++e) {
      results[k][Index(e)] = std::bit_cast<double>(bits[e]);
    }
  }
}

}  // namespace itomap
