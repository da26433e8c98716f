#include "spectrum/components.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace itomap::detail {

std::vector<Index> heaviest_first(const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weights[a] > weights[b]; });
  return order;
}

Matrix component_modes(const Vector& roots, const std::vector<Index>& order, Index count) {
  Matrix modes = Matrix::Zero(roots.size(), count);
  modes.col(0).setConstant(1.0 / roots.stableNorm());
  double before = 0.0;
  for (Index k = 1; k < count; ++k) {
    before = std::hypot(before, roots[order[k - 1]]);
    const double own = roots[order[k]];
    const double both = std::hypot(before, own);
    for (Index j = 0; j < k; ++j) {
      modes(order[j], k) = -(own / before) / both;
    }
    modes(order[k], k) = (before / own) / both;
  }
  return modes;
}

Vector component_sums(VectorView values, const std::vector<Index>& component, Index components) {
  Vector sums = Vector::Zero(components);
  for (Index i = 0; i < values.size(); ++i) {
    sums[component[i]] += values[i];
  }
  return sums;
}

Vector component_norms(VectorView values, const std::vector<Index>& component, Index components) {
  Vector largest = Vector::Constant(components, std::numeric_limits<double>::min());
  for (Index i = 0; i < values.size(); ++i) {
    largest[component[i]] = std::max(largest[component[i]], std::abs(values[i]));
  }
  Vector squares = Vector::Zero(components);
  for (Index i = 0; i < values.size(); ++i) {
    const double relative = values[i] / largest[component[i]];
    squares[component[i]] += relative * relative;
  }
  return largest.cwiseProduct(squares.cwiseSqrt());
}

Block on_points(const Matrix& modes, const std::vector<Index>& component) { return modes(component, Eigen::all); }

}  // namespace itomap::detail
