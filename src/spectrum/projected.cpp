#include "spectrum/projected.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/dense_algebra.hpp"

namespace itomap {
namespace {

/// By descending real part; a conjugate pair side by side, its positive imaginary part first.
std::vector<Index> leading_order(const Eigen::VectorXcd& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    const auto a = values[i];
    const auto b = values[j];
    if (a.real() != b.real()) {
      return a.real() > b.real();
    }
    if (std::abs(a.imag()) != std::abs(b.imag())) {
      return std::abs(a.imag()) > std::abs(b.imag());
    }
    return a.imag() > b.imag();
  });
  return order;
}

ProjectedPairs sorted(const Eigen::VectorXcd& values, const Eigen::MatrixXcd& vectors) {
  const auto order = leading_order(values);
  return {values(order), vectors(Eigen::all, order)};
}

}  // namespace

ProjectedPairs projected_pairs(const Matrix& h, bool symmetric) {
  if (symmetric) {
    const SymmetricEigen pairs = symmetric_pairs(0.5 * (h + h.transpose()));
    return sorted(pairs.values.cast<std::complex<double>>(), pairs.vectors.cast<std::complex<double>>());
  }
  const GeneralEigen pairs = general_pairs(h);
  return sorted(pairs.values, pairs.vectors);
}

Index ProjectedPairs::uncut(Index count) const {
  const bool cut = count > 0 && count < values.size() && values[count - 1].imag() > 0.0 &&
                   values[count] == std::conj(values[count - 1]);
  return cut ? count + 1 : count;
}

Matrix ProjectedPairs::leading_basis(Index count) const {
  count = uncut(count);
  Matrix span(vectors.rows(), count);
  for (Index c = 0; c < count; ++c) {
    // The second of a conjugate pair contributes the imaginary part.
    const bool second = values[c].imag() < 0.0;
    span.col(c) = second ? Vector(vectors.col(c).imag()) : Vector(vectors.col(c).real());
  }
  return orthogonal_factor(span, count);
}

}  // namespace itomap
