// Connected components by merging sets.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

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

}  // namespace itomap::detail
