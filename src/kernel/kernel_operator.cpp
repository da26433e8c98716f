#include "kernel/kernel_operator.hpp"

#include "kernel/small_rows.hpp"

namespace itomap::detail {

Vector KernelOperator::row_sums() const { return accurate_product(*this, Vector::Ones(size())).values; }

}  // namespace itomap::detail
