// Between the caller's order of the points and a kernel's own.
#pragma once

#include <cstdint>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// position[order[k]] = k.
inline std::vector<std::int32_t> inverse_order(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    position[std::size_t(order[k])] = std::int32_t(k);
  }
  return position;
}

/// Row k of the result is row order[k] of x.
inline Block gathered(PointsView x, const std::vector<std::int32_t>& order) {
  Block sorted(x.rows(), x.cols());
  for (Index k = 0; k < x.rows(); ++k) {
    sorted.row(k) = x.row(order[k]);
  }
  return sorted;
}

}  // namespace itomap::detail
