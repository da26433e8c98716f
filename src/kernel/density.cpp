#include "kernel/density.hpp"

#include <numeric>

#include "core/parallel.hpp"

namespace itomap::detail {

Vector kernel_density(const KernelGeometry& geometry) {
  constexpr Index rows_per_chunk = 256;
  Vector density(geometry.size());
  Reporter reporter("density");
  parallel_chunks(
      geometry.size(), rows_per_chunk,
      [&](Index begin, Index end) {
        KernelRow row;
        for (Index i = begin; i < end; ++i) {
          geometry.row(i, row);
          density[geometry.order()[i]] = std::accumulate(row.values.begin(), row.values.end(), 0.0);
        }
      },
      &reporter);
  return density;
}

}  // namespace itomap::detail
