#include "kernel/sample_rows.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/kernel_geometry.hpp"

namespace itomap::detail {

RowSample sample_rows(const KernelGeometry& geometry) {
  // k = exp(-r^2 / 4 epsilon), so epsilon dk/d(epsilon) = -k log k.
  const Index sample = std::min<Index>(geometry.size(), 200);
  KernelRow row;
  double entries = 0.0;
  double sum = 0.0;
  double derivative = 0.0;
  for (Index s = 0; s < sample; ++s) {
    geometry.row(s * geometry.size() / sample, row);
    entries += double(row.columns.size());
    for (const double k : row.values) {
      sum += k;
      derivative -= k * std::log(k);
    }
  }
  return {entries / double(sample), 2.0 * derivative / sum};
}

}  // namespace itomap::detail
