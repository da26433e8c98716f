#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace itomap::detail {

/// The upper one of two; 0 of none.
inline double median(std::vector<double> values) {
  if (values.empty()) {
    return 0.0;
  }
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace itomap::detail
