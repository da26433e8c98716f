#include "solvers/projected.hpp"

#include <algorithm>
#include <vector>

#include "core/dense_algebra.hpp"

namespace itomap::detail {
namespace {

/// By descending real part; a conjugate pair side by side, its positive imaginary part first. They come side by side,
/// and must not be taken apart where another pair has the same value.
std::vector<Index> leading_order(const Eigen::VectorXcd& values) {
  std::vector<std::vector<Index>> units;
  for (Index n = 0; n < values.size(); ++n) {
    const bool second =
        n > 0 && values[n].imag() != 0.0 && values[n] == std::conj(values[n - 1]) && units.back().size() == 1;
    if (!second) {
      units.push_back({n});
    } else if (values[n].imag() < 0.0) {
      units.back().push_back(n);
    } else {
      units.back().insert(units.back().begin(), n);
    }
  }
  std::stable_sort(units.begin(), units.end(), [&](const auto& i, const auto& j) {
    const auto a = values[i[0]];
    const auto b = values[j[0]];
    return a.real() != b.real() ? a.real() > b.real() : std::abs(a.imag()) > std::abs(b.imag());
  });
  std::vector<Index> order;
  for (const auto& unit : units) {
    order.insert(order.end(), unit.begin(), unit.end());
  }
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

}  // namespace itomap::detail
