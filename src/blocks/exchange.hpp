// What the first of some processes has, for all of them.
#pragma once

#include <array>
#include <span>

#include "itomap/core/ranks.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

inline void broadcast(const Ranks& ranks, std::span<double> numbers) {
  ranks.broadcast(std::as_writable_bytes(numbers));
}

/// A matrix, whose shape only the first needs to know.
template <class Numbers>
void broadcast(const Ranks& ranks, Numbers& matrix) {
  std::array<double, 2> size{double(matrix.rows()), double(matrix.cols())};
  broadcast(ranks, std::span<double>(size));
  matrix.resize(Index(size[0]), Index(size[1]));
  broadcast(ranks, std::span<double>(matrix.data(), std::size_t(matrix.size())));
}

}  // namespace itomap::detail
