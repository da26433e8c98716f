#include "kernel/small_rows.hpp"

#include <utility>
#include <vector>

namespace itomap {

AccurateProduct accurate_product(const KernelOperator& kernel, const Vector& x) {
  Block y(kernel.size(), 1);
  kernel.apply(x, y);
  // Errors of single entries have random signs: their sum is about the accuracy times the norm of x. Sums a hundred
  // thousand times larger keep five digits.
  constexpr double digits = 1e5;
  const double doubtful = digits * kernel.accuracy() * x.norm();
  std::vector<Index> rows;
  for (Index i = 0; i < y.rows(); ++i) {
    if (y(i, 0) < doubtful) {
      rows.push_back(i);
    }
  }
  if (!rows.empty()) {
    Block exact(Index(rows.size()), 1);
    kernel.apply_rows(rows, x, exact);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      y(rows[k], 0) = exact(Index(k), 0);
    }
  }
  return {y.col(0), std::move(rows)};
}

}  // namespace itomap
