// Products with a positive vector that are right relative to each row, however small.
#pragma once

#include "itomap/kernel/kernel_operator.hpp"

namespace itomap {

/// K x for x >= 0. An engine that is accurate relative to its largest entries only would drown the small sums; those are
/// computed from the rows' own entries.
Vector accurate_product(const KernelOperator& kernel, const Vector& x);

}  // namespace itomap
