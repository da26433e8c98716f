#include "kernel/kernel_operator.hpp"

#include <utility>

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

std::vector<Index> small_rows(const Vector& sums, double noise) {
  // Errors of single entries have random signs: their sum is about the accuracy times the norm of x. Sums a hundred
  // thousand times larger keep five digits.
  constexpr double digits = 1e5;
  std::vector<Index> rows;
  for (Index i = 0; i < sums.size(); ++i) {
    if (sums[i] < digits * noise) {
      rows.push_back(i);
    }
  }
  return rows;
}

AccurateProducts accurate_products(const KernelOperator& kernel, PointsView x) {
  Block y(kernel.size(), x.cols());
  kernel.apply(x, y);
  std::vector<Index> rows = small_rows(y.col(0), kernel.accuracy() * x.col(0).norm());
  if (!rows.empty()) {
    Block exact(Index(rows.size()), x.cols());
    kernel.apply_rows(rows, x, exact);
    y(rows, Eigen::all) = exact;
  }
  return {std::move(y), std::move(rows)};
}

AccurateProduct accurate_product(const KernelOperator& kernel, const Vector& x) {
  auto product = accurate_products(kernel, x);
  return {product.values.col(0), std::move(product.small)};
}

}  // namespace itomap::detail
