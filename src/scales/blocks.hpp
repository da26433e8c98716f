// Rows that are left out together, for a jackknife.
//
// Rows of a trajectory are not independent: leaving out one would say next to nothing about another sample. Blocks of
// consecutive rows do, if they are longer than what the rows remember. Where runs are known, no block reaches across
// two of them unless it holds whole ones.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Consecutive blocks: the b-th has the rows begin(b) to end(b) - 1.
class Blocks {
 public:
  explicit Blocks(std::vector<Index> ends) : ends_(std::move(ends)) {}

  Index count() const { return Index(ends_.size()); }
  Index rows() const { return ends_.back(); }
  Index begin(Index b) const { return b == 0 ? 0 : ends_[std::size_t(b) - 1]; }
  Index end(Index b) const { return ends_[std::size_t(b)]; }

  /// All rows but those of one block.
  std::vector<Index> without(Index b) const;

 private:
  std::vector<Index> ends_;
};

/// As many blocks as rows / block rows allow, `wanted` at most and 2 at least, equally long but for the ends of runs.
/// `run_ends` ascend up to the number of rows; a single run if there are none.
Blocks make_blocks(Index rows, Index wanted, const std::vector<Index>& run_ends = {}, double least_rows = 1.0);

}  // namespace itomap::detail
