#include "kernel/sample_rows.hpp"

#include <algorithm>

namespace itomap {

double mean_entries(const KernelGeometry& geometry) {
  const Index sample = std::min<Index>(geometry.size(), 200);
  KernelRow row;
  double sum = 0.0;
  for (Index k = 0; k < sample; ++k) {
    geometry.row(k * geometry.size() / sample, row);
    sum += double(row.columns.size());
  }
  return sum / double(sample);
}

}  // namespace itomap
