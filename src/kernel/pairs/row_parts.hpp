// Which process holds which rows of a stored kernel: whole blocks of them, in contiguous parts of the spatial order.
//
// Points that are neighbours in space are then mostly in the same part. Everything a process needs to compute its rows
// of a product is its own, so that each of them is added up in the same order, to the same bits, however many there
// are.
#pragma once

#include <vector>

#include "itomap/core/ranks.hpp"
#include "kernel/pairs/slabs.hpp"

namespace itomap::detail {

class RowParts {
 public:
  /// Blocks of `block` points each, the last one perhaps shorter. Null ranks: all are held here.
  RowParts(Index points, Index block, const Ranks* ranks);

  /// Deals blocks out anew, by what each of them costs. The same costs everywhere.
  void balance(const std::vector<double>& costs);

  bool alone() const { return ranks_ == nullptr; }
  const Ranks* ranks() const { return ranks_; }
  /// The own blocks.
  Index begin() const { return rank_ == 0 ? 0 : ends_[std::size_t(rank_) - 1]; }
  Index end() const { return ends_[std::size_t(rank_)]; }
  bool mine(Index block) const { return begin() <= block && block < end(); }

  /// Everybody gets everybody's rows, of vectors or of one number a row.
  void share(Slabs& vectors) const;
  void share(std::vector<double>& rows) const;

 private:
  Index blocks() const { return (points_ + block_ - 1) / block_; }
  /// Where the rows of each part end, if a row has so many numbers.
  std::vector<std::size_t> ends_of_rows(Index width) const;

  Index points_, block_;
  const Ranks* ranks_;
  int rank_;
  std::vector<Index> ends_;  // of each part, in blocks
};

}  // namespace itomap::detail
