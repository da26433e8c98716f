#include "io/values.hpp"

#include <fmt/format.h>

#include "core/memory.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {

void require_memory(std::size_t bytes, const std::string& name) {
  constexpr std::size_t small = std::size_t{1} << 20;  // not worth the question
  if (bytes <= small) {
    return;
  }
  const std::size_t available = available_memory_bytes();
  if (bytes <= available) {
    return;
  }
  throw IoError(fmt::format("{}: takes {} in memory, {} are free; a .npy file of float64 in C order is mapped instead",
                            name, format_bytes(static_cast<double>(bytes)),
                            format_bytes(static_cast<double>(available))));
}

std::shared_ptr<double[]> new_values(std::size_t count, const std::string& name) {
  require_memory(count * sizeof(double), name);
  return std::shared_ptr<double[]>(new double[count]);
}

}  // namespace itomap::detail
