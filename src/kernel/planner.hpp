// Which engine holds a kernel: the cheapest that fits.
#pragma once

#include <memory>
#include <vector>

#include "itomap/kernel/plan.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

/// Builds the engine asked for, or picks one, and says why in `plan`. Throws InvalidArgument, before any long work, if
/// it cannot fit into the memory allowed or cannot hold this kernel. `beside` are the bytes that whoever uses it holds
/// then.
std::shared_ptr<const KernelOperator> make_kernel(KernelGeometry geometry, const KernelOptions& options,
                                                  double beside = 0.0, KernelPlan* plan = nullptr);

/// K X at the listed rows of a kernel that is not needed for anything else, in the caller's order. Accurate relative to
/// each row's sum over the first column of X, which must not be negative.
Block row_products(KernelGeometry geometry, const std::vector<Index>& rows, PointsView x, const KernelOptions& options);

/// K 1 for a kernel that is not needed for anything else: no entry is stored. In the caller's order.
Vector kernel_sums(KernelGeometry geometry, const KernelOptions& options);

}  // namespace itomap::detail
