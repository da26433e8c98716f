// Memory that begins at a cache line, for loops that load whole vectors of numbers.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace itomap::detail {

template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>& /*other*/) {}  // NOLINT: the standard asks for a conversion

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t /*n*/) { ::operator delete(p, alignment); }

  template <class U>
  bool operator==(const CacheAligned<U>& /*other*/) const {
    return true;
  }
};

using AlignedVector = std::vector<double, CacheAligned<double>>;

}  // namespace itomap::detail
