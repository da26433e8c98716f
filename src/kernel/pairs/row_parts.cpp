#include "kernel/pairs/row_parts.hpp"

#include <algorithm>
#include <numeric>

namespace itomap::detail {

RowParts::RowParts(Index points, Index block, const Ranks* ranks)
    : points_(points),
      block_(block),
      ranks_(ranks),
      rank_(ranks == nullptr ? 0 : ranks->rank()),
      ends_(ranks == nullptr ? 1 : std::size_t(ranks->size()), blocks()) {
  balance(std::vector<double>(std::size_t(blocks()), 1.0));
}

void RowParts::balance(const std::vector<double>& costs) {
  const double share = std::accumulate(costs.begin(), costs.end(), 0.0) / double(ends_.size());
  double before = 0.0;
  std::size_t part = 0;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    // A block belongs to the part that its middle falls into.
    while (part + 1 < ends_.size() && before + 0.5 * costs[k] > double(part + 1) * share) {
      ends_[part++] = Index(k);
    }
    before += costs[k];
  }
  std::fill(ends_.begin() + std::ptrdiff_t(part), ends_.end(), blocks());
}

std::vector<std::size_t> RowParts::ends_of_rows(Index width) const {
  std::vector<std::size_t> ends;
  for (const Index end : ends_) {
    ends.push_back(std::size_t(std::min(points_, end * block_) * width));
  }
  return ends;
}

void RowParts::share(Slabs& vectors) const {
  for (Index slab = 0; !alone() && slab < vectors.count(); ++slab) {
    const Index width = vectors.width(slab);
    ranks_->share({vectors.at(slab, 0), std::size_t(points_ * width)}, ends_of_rows(width));
  }
}

void RowParts::share(std::vector<double>& rows) const {
  if (!alone()) {
    ranks_->share(rows, ends_of_rows(1));
  }
}

}  // namespace itomap::detail
