// Single entries of a kernel, for rows that an engine keeps one by one.
#pragma once

#include <cstdint>

namespace itomap::detail {

/// One entry of K, in the caller's numbers.
struct KernelEntry {
  std::int32_t row;
  std::int32_t column;
  double value;
};

}  // namespace itomap::detail
