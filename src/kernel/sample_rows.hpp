// What a sample of rows says about a kernel.
#pragma once

#include "kernel/kernel_geometry.hpp"

namespace itomap {

/// Entries a row above the cut-off, from a sample spread evenly over the points.
double mean_entries(const KernelGeometry& geometry);

}  // namespace itomap
