#include "itomap/generator/generator.hpp"

namespace itomap {

Vector Generator::reversible_stationary() const {
  // Scaled before the product, which would underflow where both factors are tiny.
  const Vector weights = right_weights.cwiseProduct(row_sums / row_sums.maxCoeff());
  return weights / weights.sum();
}

Block Generator::markov(PointsView f) const {
  const Block weighted = right_weights.asDiagonal() * f;
  Block product(f.rows(), f.cols());
  kernel->apply(weighted, product);
  return row_sums.cwiseInverse().asDiagonal() * product;
}

Block Generator::markov_transpose(PointsView w) const {
  const Block weighted = row_sums.cwiseInverse().asDiagonal() * w;
  Block product(w.rows(), w.cols());
  kernel->apply_transpose(weighted, product);
  return right_weights.asDiagonal() * product;
}

Vector Generator::backward(VectorView f) const { return (markov(f) - f) / epsilon; }

Vector Generator::forward(VectorView rho) const {
  if (method == Method::BiasedLocalKernelMap) {
    return (markov_transpose(rho) - rho) / epsilon;
  }
  const Vector moved = markov_transpose(rho.cwiseQuotient(density));
  return (density.cwiseProduct(moved) - rho) / epsilon;
}

}  // namespace itomap
