#include "generator/generator.hpp"

#include <cmath>

#include "core/scaled_rows.hpp"

namespace itomap::detail {
namespace {

/// P f at the listed points for those that do move.
Block moved_rows(const Generator& g, const std::vector<Index>& rows, PointsView f) {
  const Block weighted = scaled_rows(g.right_weights, f);
  Block product(Index(rows.size()), f.cols());
  g.kernel->apply_rows(rows, weighted, product);
  return g.row_sums(rows).cwiseInverse().asDiagonal() * product;
}

}  // namespace

double Generator::time_step() const {
  return bandwidth.size() > 0 ? epsilon * std::pow(bandwidth.minCoeff(), 2) : epsilon;
}

Vector Generator::reversible_stationary() const {
  // Scaled before the product, which would underflow where both factors are tiny.
  Vector weights = right_weights.cwiseProduct(row_sums / row_sums.maxCoeff());
  if (pace.size() > 0) {
    weights = weights.cwiseQuotient(pace);  // who seldom moves stays longer
  }
  return weights / weights.sum();
}

Vector Generator::drift_of_step(Index i) const {
  return (step_drift.size() > 0 ? step_drift.row(i) : definition.drift.row(kept[std::size_t(i)])).transpose();
}

Block Generator::moved(PointsView f) const {
  const Block weighted = scaled_rows(right_weights, f);
  Block product(f.rows(), f.cols());
  kernel->apply(weighted, product);
  scale_rows(row_sums.cwiseInverse(), product);
  if (!small_rows.empty()) {
    product(small_rows, Eigen::all) = moved_rows(*this, small_rows, f);
  }
  return product;
}

Block Generator::markov(PointsView f) const {
  Block product = moved(f);
  if (pace.size() > 0) {
    product = f + pace.asDiagonal() * (product - f);
  }
  return product;
}

Block Generator::markov_rows(const std::vector<Index>& rows, PointsView f) const {
  const Block moved = moved_rows(*this, rows, f);
  if (pace.size() == 0) {
    return moved;
  }
  const Block before = f(rows, Eigen::all);
  return before + pace(rows).asDiagonal() * (moved - before);
}

Block Generator::markov_transpose(PointsView w) const {
  const Vector share = pace.size() > 0 ? Vector(pace.cwiseQuotient(row_sums)) : Vector(row_sums.cwiseInverse());
  Block weighted = scaled_rows(share, w);
  Block product(w.rows(), w.cols());
  if (small_rows.empty()) {
    kernel->apply_transpose(weighted, product);
  } else {
    Block large = weighted;
    large(small_rows, Eigen::all).setZero();
    kernel->apply_transpose(large, product);
    kernel->add_rows_transpose(small_rows, weighted, product);
  }
  scale_rows(right_weights, product);
  if (pace.size() > 0) {
    product += w - pace.asDiagonal() * w;
  }
  return product;
}

Vector Generator::backward(VectorView f) const { return (markov(f) - f) / time_step(); }

Vector Generator::forward(VectorView rho) const {
  if (method() == Method::BiasedLocalKernelMap) {
    return (markov_transpose(rho) - rho) / time_step();
  }
  const Vector moved = markov_transpose(rho.cwiseQuotient(density));
  return (density.cwiseProduct(moved) - rho) / time_step();
}

}  // namespace itomap::detail
