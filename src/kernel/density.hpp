// Kernel sums: the density estimate and what its scale says about the data.
#pragma once

#include "kernel/kernel_geometry.hpp"

namespace itomap {

/// q_i = sum_j k(x_i, x_j), in the caller's order; nothing is stored on the way.
Vector kernel_density(const KernelGeometry& geometry, const KernelOptions& options);

/// 2 d log(sum k) / d log(epsilon) of an isotropic kernel, from a sample of rows: about the dimension of the manifold
/// where the scale is neither below the spacing of the points nor near the size of the data.
double intrinsic_dimension(const KernelGeometry& geometry);

}  // namespace itomap
