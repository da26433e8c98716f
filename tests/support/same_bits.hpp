// Arrays that agree in every bit, for what must not depend on threads or processes.
#pragma once

#include <cstddef>
#include <cstring>

namespace itomap::test {

template <class Array>
bool same_bits(const Array& a, const Array& b) {
  const auto bytes = std::size_t(a.size()) * sizeof(typename Array::Scalar);
  return a.rows() == b.rows() && a.cols() == b.cols() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

}  // namespace itomap::test
