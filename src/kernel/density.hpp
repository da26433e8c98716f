// Kernel sums: the density estimate.
#pragma once

#include "kernel/kernel_geometry.hpp"

namespace itomap::detail {

/// q_i = sum_j k(x_i, x_j), in the caller's order; nothing is stored on the way.
Vector kernel_density(const KernelGeometry& geometry);

}  // namespace itomap::detail
