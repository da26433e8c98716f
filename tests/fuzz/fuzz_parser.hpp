// What the fuzz targets share: the input as a file, and what every parser promises.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "io/bytes.hpp"
#include "io/shape.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::fuzz {

/// A copy that ends where the input ends, so that reading on is an error the sanitizer sees.
inline detail::SharedBytes input(const std::uint8_t* data, std::size_t size) {
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(data, data + size);
  return {owner, std::as_bytes(std::span(*owner))};
}

inline void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Calls the parser: IoError is fine, any other exception is a finding, and all values of an array must be readable.
template <class Parse>
int check(const Parse& parse) {
  Array array;
  try {
    array = parse();
  } catch (const IoError&) {
    return 0;
  }
  const auto count = detail::count_values(array.shape);
  require(count.has_value() && array.shape.size() <= detail::most_dimensions);
  volatile double last = 0;
  for (std::size_t i = 0; i < *count; ++i) {
    last = array.data.get()[i];
  }
  static_cast<void>(last);
  return 0;
}

}  // namespace itomap::fuzz
