#include "spectrum/components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace itomap {

Matrix component_modes(const Vector& weights, Index count) {
  const Index components = weights.size();
  std::vector<Index> heaviest_first(static_cast<std::size_t>(components));
  std::iota(heaviest_first.begin(), heaviest_first.end(), Index(0));
  std::stable_sort(heaviest_first.begin(), heaviest_first.end(),
                   [&](Index a, Index b) { return weights[a] > weights[b]; });
  Matrix modes = Matrix::Zero(components, count);
  modes.col(0).setConstant(1.0 / std::sqrt(weights.sum()));
  double heavier = 0.0;
  for (Index k = 1; k < count; ++k) {
    heavier += weights[heaviest_first[k - 1]];
    const double own = weights[heaviest_first[k]];
    for (Index j = 0; j < k; ++j) {
      modes(heaviest_first[j], k) = -std::sqrt(own / (heavier * (heavier + own)));
    }
    modes(heaviest_first[k], k) = std::sqrt(heavier / (own * (heavier + own)));
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
