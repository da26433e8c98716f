// Collects the graph of a kernel row by row, in the operator's own order, and hands it out in the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "itomap/core/ranks.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

/// Connected components by merging sets.
class UnionFind {
 public:
  explicit UnionFind(Index size);

  Index root(Index i);
  void unite(Index i, Index j) {
    // Most pairs of a kernel are in one set already, and know it.
    if (parent_[std::size_t(i)] != parent_[std::size_t(j)]) {
      join_roots(i, j);
    }
  }
  Index sets() const { return sets_; }

 private:
  void join_roots(Index i, Index j);

  std::vector<Index> parent_;
  Index sets_;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::span<const std::int32_t> order);

  /// Row i has these columns. Rows may come in any order, each once, from one thread.
  void add_row(Index i, std::span<const std::int32_t> columns, bool stranded);

  /// The same in parts, from one thread: an entry joins row and column; a row has so many entries, or only its own.
  void join(Index row, Index column) { sets_.unite(order_[std::size_t(row)], order_[std::size_t(column)]); }
  void count_row(Index i, Index entries, bool alone, bool stranded);
  /// Everybody gets what everybody joined.
  void merge(const Ranks& ranks);
  /// Nothing is left to join.
  bool connected() const { return sets_.sets() <= 1; }

  KernelGraph finish();

 private:
  std::span<const std::int32_t> order_;
  UnionFind sets_;
  KernelGraph graph_;
  Index entries_ = 0;
};

}  // namespace itomap::detail
