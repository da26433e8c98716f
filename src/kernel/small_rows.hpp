// Products with a positive vector that are right relative to each row, however small.
#pragma once

#include <vector>

#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

struct AccurateProduct {
  Vector values;
  std::vector<Index> small;  ///< rows that had to be computed from their own entries
};

/// K x for x >= 0. An engine that is accurate relative to its largest entries only would drown the small sums.
AccurateProduct accurate_product(const KernelOperator& kernel, const Vector& x);

/// Ascending: the rows whose sums are not clearly larger than `noise`, the accuracy times the norm of the vector.
std::vector<Index> small_rows(const Vector& sums, double noise);

}  // namespace itomap::detail
