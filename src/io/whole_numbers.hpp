// Files of whole numbers: bounds and columns of lists.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "io/read_array.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {

/// All values of an array; IoError if one does not fit.
template <class Integer>
std::vector<Integer> whole_numbers(const std::string& file) {
  const Array array = read_array_of(file, NpyKind::Whole);
  std::vector<Integer> numbers;
  for (const double value : array.as_vector()) {
    constexpr double most = 9007199254740992.0;  // beyond it doubles skip some
    if (!(value >= 0.0 && value <= std::min(most, double(std::numeric_limits<Integer>::max())))) {
      throw IoError(fmt::format("{}: {} is no number of a row or a column", file, value));
    }
    numbers.push_back(static_cast<Integer>(value));
  }
  return numbers;
}

}  // namespace itomap::detail
