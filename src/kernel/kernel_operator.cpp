#include "kernel/kernel_operator.hpp"

#include "kernel/small_rows.hpp"

namespace itomap::detail {

Vector KernelOperator::row_sums() const { return accurate_product(*this, Vector::Ones(size())).values; }

void KernelOperator::add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  Block listed = Block::Zero(x.rows(), x.cols());
  for (const Index i : rows) {
    listed.row(i) = x.row(i);
  }
  Block product(y.rows(), y.cols());
  apply_transpose(listed, product);
  y += product;
}

}  // namespace itomap::detail
