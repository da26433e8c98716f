// What a sample of rows, spread evenly over the points, says about a kernel.
#pragma once

namespace itomap::detail {

class KernelGeometry;

struct RowSample {
  double entries = 0.0;  ///< a row, above the cut-off
  /// 2 d log(sum k) / d log(epsilon) of an isotropic kernel: about the dimension of the manifold where the scale is
  /// neither below the spacing of the points nor near the size of the data.
  double dimension = 0.0;
};

RowSample sample_rows(const KernelGeometry& geometry);

}  // namespace itomap::detail
