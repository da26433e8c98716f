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

AccurateProduct accurate_product(const KernelOperator& kernel, const Vector& x) {
  Block y(kernel.size(), 1);
  kernel.apply(x, y);
  std::vector<Index> rows = small_rows(y.col(0), kernel.accuracy() * x.norm());
  if (!rows.empty()) {
    Block exact(Index(rows.size()), 1);
    kernel.apply_rows(rows, x, exact);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      y(rows[k], 0) = exact(Index(k), 0);
    }
  }
  return {y.col(0), std::move(rows)};
}

}  // namespace itomap::detail
