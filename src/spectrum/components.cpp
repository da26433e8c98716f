#include "spectrum/components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace itomap {

std::vector<Index> heaviest_first(const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weights[a] > weights[b]; });
  return order;
}

Matrix component_modes(const Vector& weights, const std::vector<Index>& order, Index count) {
  Matrix modes = Matrix::Zero(weights.size(), count);
  modes.col(0).setConstant(1.0 / std::sqrt(weights.sum()));
  double before = 0.0;
  for (Index k = 1; k < count; ++k) {
    before += weights[order[k - 1]];
    const double own = weights[order[k]];
    const double both = std::sqrt(before + own);  // products of light weights would underflow, ratios do not
    for (Index j = 0; j < k; ++j) {
      modes(order[j], k) = -std::sqrt(own / before) / both;
    }
    modes(order[k], k) = std::sqrt(before / own) / both;
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

Block on_points(const Matrix& modes, const std::vector<Index>& component) { return modes(component, Eigen::all); }

}  // namespace itomap
