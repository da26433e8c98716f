#include "kernel/graph_builder.hpp"

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

GraphBuilder::GraphBuilder(std::span<const std::int32_t> order) : order_(order), sets_(Index(order.size())) {}

void GraphBuilder::add_row(Index i, std::span<const std::int32_t> columns, bool stranded) {
  if (!connected()) {
    for (const std::int32_t j : columns) {
      join(i, j);
    }
  }
  count_row(i, Index(columns.size()), columns.size() == 1 && columns[0] == i, stranded);
}

void GraphBuilder::count_row(Index i, Index entries, bool alone, bool stranded) {
  const Index point = order_[std::size_t(i)];
  entries_ += entries;
  if (alone || stranded) {
    graph_.isolated.push_back(point);
  }
  if (stranded) {
    graph_.stranded.push_back(point);
  }
}

void GraphBuilder::merge(const Ranks& ranks) {
  // Each point joins the smallest that anybody knows it to be with, until nobody learns anything: then all roots are
  // the same.
  const Index points = Index(order_.size());
  std::vector<double> roots(static_cast<std::size_t>(points));
  for (double news = 1.0; news > 0.0;) {
    for (Index i = 0; i < points; ++i) {
      roots[std::size_t(i)] = -double(sets_.root(i));
    }
    ranks.largest(roots);
    const Index before = sets_.sets();
    for (Index i = 0; i < points; ++i) {
      sets_.unite(i, Index(-roots[std::size_t(i)]));
    }
    news = double(before - sets_.sets());
    ranks.largest({&news, 1});
  }
}

KernelGraph GraphBuilder::finish() {
  std::sort(graph_.isolated.begin(), graph_.isolated.end());
  std::sort(graph_.stranded.begin(), graph_.stranded.end());
  const Index m = Index(order_.size());
  graph_.mean_neighbours = double(entries_) / double(m);
  graph_.component.assign(std::size_t(m), -1);
  for (Index i = 0; i < m; ++i) {
    const Index root = sets_.root(i);  // the smallest point of the component, so it is labelled first
    if (root == i) {
      graph_.component[i] = graph_.components++;
    }
    graph_.component[i] = graph_.component[root];
  }
  return std::move(graph_);
}

}  // namespace itomap::detail
