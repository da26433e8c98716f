#include "kernel/union_find.hpp"

#include <algorithm>
#include <numeric>

namespace itomap::detail {

UnionFind::UnionFind(Index size) : parent_(std::size_t(size)), sets_(size) {
  std::iota(parent_.begin(), parent_.end(), Index(0));
}

Index UnionFind::root(Index i) {
  while (parent_[i] != i) {
    parent_[i] = parent_[parent_[i]];
    i = parent_[i];
  }
  return i;
}

void UnionFind::join_roots(Index i, Index j) {
  const Index a = root(i);
  const Index b = root(j);
  parent_[std::max(a, b)] = std::min(a, b);
  sets_ -= a == b ? 0 : 1;
}

}  // namespace itomap::detail
