// Which engine holds a kernel: the cheapest that fits.
#pragma once

#include <memory>

#include "itomap/kernel/kernel_operator.hpp"
#include "kernel/kernel_geometry.hpp"

namespace itomap {

/// Builds the engine asked for, or picks one. Throws InvalidArgument, before any long work, if it cannot fit into the
/// memory allowed.
std::shared_ptr<const KernelOperator> make_kernel(KernelGeometry geometry, const KernelOptions& options);

}  // namespace itomap
