#include "analysis/reversed_chain.hpp"

#include <cmath>

#include "core/scaled_rows.hpp"

namespace itomap::detail {
namespace {

constexpr double smallest = 1e-290;  // below it quotients lose digits
constexpr double good_to = 1e-3;     // relative change in a step
constexpr int most_steps = 100;

bool good(double weight, double moved) {
  return weight > smallest && moved > smallest && std::abs(moved - weight) <= good_to * weight;
}

Vector good_points(const Vector& weights, const Vector& moved) {
  return weights.binaryExpr(moved, [](double w, double m) { return good(w, m) ? 1.0 : 0.0; });
}

}  // namespace

ReversedChain::ReversedChain(const Generator& generator, const Spectrum& spectrum)
    : generator_(generator), spectrum_(spectrum), weights_(spectrum.stationary) {
  Vector moved = generator.markov_transpose(weights_);
  defined_ = good_points(weights_, moved);
  for (int step = 0; step < most_steps && defined_.minCoeff() == 0.0; ++step) {
    weights_ = moved.cwiseMax(0.0);
    moved = generator.markov_transpose(weights_);
    defined_ = good_points(weights_, moved);
  }
  inverse_sums_ = moved.binaryExpr(defined_, [](double m, double d) { return d > 0.0 ? 1.0 / m : 0.0; });
}

Block ReversedChain::apply(PointsView x) const {
  Block product = generator_.markov_transpose(scaled_rows(weights_, x));
  scale_rows(inverse_sums_, product);
  return product;
}

Block ReversedChain::slow_functions() const {
  // Left eigenfunctions are no better in the tails than phi_0 was.
  constexpr double negligible = 1e-8;
  const double limit = negligible / double(weights_.size());
  const Vector inverse = weights_.unaryExpr([=](double w) { return w > limit ? 1.0 / w : 0.0; });
  Block functions(weights_.size(), spectrum_.left_eigenfunctions.cols() + spectrum_.left_eigenfunctions.im.cols());
  functions << scaled_rows(inverse, spectrum_.left_eigenfunctions.re),
      scaled_rows(inverse, spectrum_.left_eigenfunctions.im);
  return functions;
}

}  // namespace itomap::detail
