// Bytes of a file, wherever they come from: a mapping, a buffer, a member of an archive.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace itomap::detail {

using Bytes = std::span<const std::byte>;

inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Bytes together with what keeps them alive, so that an array can share them instead of copying.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  Bytes bytes;
};

/// The number stored at `from`, which need not be aligned; `swapped` says that its byte order is not the machine's.
template <class Number>
Number load(const std::byte* from, bool swapped) {
  std::byte raw[sizeof(Number)];
  std::memcpy(raw, from, sizeof(Number));
  if (swapped) {
    std::reverse(std::begin(raw), std::end(raw));
  }
  return std::bit_cast<Number>(raw);
}

/// The little-endian number at `offset`; the caller has checked that it lies inside.
template <std::unsigned_integral Number>
Number little_endian(Bytes bytes, std::size_t offset) {
  return load<Number>(bytes.data() + offset, std::endian::native == std::endian::big);
}

}  // namespace itomap::detail
