#include "analysis/set_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace itomap::detail {
namespace {

std::vector<Index> first_points(const std::vector<Index>& labels, Index sets) {
  std::vector<Index> first(std::size_t(sets), Index(labels.size()));
  for (Index i = Index(labels.size()) - 1; i >= 0; --i) {
    first[labels[i]] = i;
  }
  return first;
}

}  // namespace

std::vector<Index> order_of_sets(const Vector& weights, const std::vector<Index>& labels) {
  const std::vector<Index> first = first_points(labels, weights.size());
  const double total = weights.sum();
  const auto key = [&](Index set) { return std::pair(-std::llround(1e9 * weights[set] / total), first[set]); };
  std::vector<Index> order(std::size_t(weights.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, {}, key);
  return order;
}

void relabel(std::vector<Index>& labels, const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    position[order[k]] = Index(k);
  }
  for (Index& label : labels) {
    label = position[label];
  }
}

}  // namespace itomap::detail
