#include "kernel/density.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"

namespace itomap {

Vector kernel_density(const KernelGeometry& geometry, const KernelOptions& options) {
  constexpr Index rows_per_chunk = 256;
  Vector density(geometry.size());
  Reporter reporter(options.progress, "density");
  parallel_chunks(
      geometry.size(), rows_per_chunk, options.threads,
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

double intrinsic_dimension(const KernelGeometry& geometry) {
  // k = exp(-r^2 / 4 epsilon), so epsilon dk/d(epsilon) = -k log k.
  const Index sample = std::min<Index>(geometry.size(), 200);
  KernelRow row;
  double sum = 0.0;
  double derivative = 0.0;
  for (Index s = 0; s < sample; ++s) {
    geometry.row(s * geometry.size() / sample, row);
    for (const double k : row.values) {
      sum += k;
      derivative -= k * std::log(k);
    }
  }
  return 2.0 * derivative / sum;
}

}  // namespace itomap
