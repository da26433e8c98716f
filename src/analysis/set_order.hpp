// One numbering of sets, whatever the order in which they were found.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Sets by descending weight; those that weigh the same to a billionth of the whole, by their first point.
std::vector<Index> order_of_sets(const Vector& weights, const std::vector<Index>& labels);

/// Replaces label order[k] by k.
void relabel(std::vector<Index>& labels, const std::vector<Index>& order);

}  // namespace itomap::detail
