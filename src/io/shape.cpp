#include "io/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

namespace itomap::detail {

std::optional<std::size_t> count_values(const std::vector<std::size_t>& shape) {
  constexpr std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double);
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (length > most / count) {
      return std::nullopt;
    }
    count *= std::max<std::size_t>(length, 1);
  }
  const bool empty = std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end();
  return empty ? 0 : count;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace itomap::detail
