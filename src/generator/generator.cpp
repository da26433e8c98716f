#include "itomap/generator/generator.hpp"

#include "core/scaled_rows.hpp"

namespace itomap {

Vector Generator::reversible_stationary() const {
  // Scaled before the product, which would underflow where both factors are tiny.
  const Vector weights = right_weights.cwiseProduct(row_sums / row_sums.maxCoeff());
  return weights / weights.sum();
}

Block Generator::markov(PointsView f) const {
  const Block weighted = scaled_rows(right_weights, f, threads);
  Block product(f.rows(), f.cols());
  kernel->apply(weighted, product);
  scale_rows(row_sums.cwiseInverse(), product, threads);
  if (!small_rows.empty()) {
    product(small_rows, Eigen::all) = markov_rows(small_rows, f);
  }
  return product;
}

Block Generator::markov_rows(const std::vector<Index>& rows, PointsView f) const {
  const Block weighted = scaled_rows(right_weights, f, threads);
  Block product(Index(rows.size()), f.cols());
  kernel->apply_rows(rows, weighted, product);
  return row_sums(rows).cwiseInverse().asDiagonal() * product;
}

Block Generator::markov_transpose(PointsView w) const {
  const Block weighted = scaled_rows(row_sums.cwiseInverse(), w, threads);
  Block product(w.rows(), w.cols());
  kernel->apply_transpose(weighted, product);
  scale_rows(right_weights, product, threads);
  return product;
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
