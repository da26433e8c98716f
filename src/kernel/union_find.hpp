// Connected components by merging sets.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

class UnionFind {
 public:
  explicit UnionFind(Index size);

  Index root(Index i);
  void unite(Index i, Index j);
  Index sets() const { return sets_; }

 private:
  std::vector<Index> parent_;
  Index sets_;
};

}  // namespace itomap
