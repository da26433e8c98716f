// Passes over points that come in blocks: what is summed over them, whoever has them.
//
// A pass calls a function for every block of consecutive points, several at a time, and adds up what it returns: sums
// that are exact in any order (core/exact_sums.hpp), largest values, and some numbers of each block by itself. Threads,
// a run that was killed and goes on from its checkpoint, and the ranks of a larger computation thus come to the same
// bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/aligned.hpp"
#include "core/exact_sums.hpp"
#include "itomap/core/ranks.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

class Checkpoint;

/// How many of each a pass has.
struct PassSizes {
  std::size_t sums = 0;
  std::size_t largest = 0;
  Index numbers = 0;
};

/// What one block contributes: zeros, -infinity and zeros before it says more.
struct BlockTerms {
  AlignedVector sums;
  std::vector<double> largest;
  Vector numbers;
};

struct PassTotals {
  std::vector<double> sums;
  std::vector<double> largest;
  Block numbers;  ///< one row for each block

  /// Of the k-th number, over the blocks in their order.
  double sum(Index k) const;
};

/// A pass in the middle of it.
struct PassState {
  ExactSums sums;
  std::vector<double> largest;
  Block numbers;
  std::vector<std::uint8_t> done;  ///< one for each block

  PassState(const PassSizes& sizes, Index blocks);
};

struct BlockRange {
  Index number;
  Index begin;
  Index end;
};

class BlockPasses {
 public:
  /// Both must outlive it; the checkpoint may be none.
  BlockPasses(Index points, Index block_points, const Ranks& ranks, const Checkpoint* checkpoint);

  Index points() const { return points_; }
  Index blocks() const { return blocks_; }
  Index block_points() const { return block_points_; }
  const Ranks& ranks() const { return ranks_; }

  /// Every block once, in whatever order, by one thread each, on which loops are not threaded again. `name` is what
  /// progress and checkpoints call the pass.
  using Body = std::function<void(const BlockRange& block, BlockTerms& terms)>;
  PassTotals run(const std::string& name, const PassSizes& sizes, const Body& body) const;

  /// The same where nothing is summed: a pass that writes. It begins anew after a kill.
  void visit(const std::string& name, const std::function<void(const BlockRange& block)>& body) const;

 private:
  BlockRange range(Index number) const;
  void for_blocks(const std::string& name, const std::vector<Index>& blocks,
                  const std::function<void(const BlockRange& block)>& body) const;
  std::vector<Index> own_blocks() const;
  PassTotals totals(PassState state) const;

  Index points_;
  Index block_points_;
  Index blocks_;
  const Ranks& ranks_;
  const Checkpoint* checkpoint_;
};

}  // namespace itomap::detail
