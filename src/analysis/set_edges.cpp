#include "analysis/set_edges.hpp"

#include <algorithm>

#include "core/scaled_rows.hpp"
#include "generator/half_space.hpp"

namespace itomap::detail {
namespace {

/// t at a point from where `share` of a step ends in the set, at points from where `inner` of a step does so too.
double weight_of(double share, double inner) {
  if (!(share > 0.0)) {
    return 1.0;
  }
  constexpr double least = 0.02;  // a point that is not in the set is outside, however its neighbours happen to lie
  const double width = std::min(2.0 * inner / share, 1.0);
  const double weight = absorbing_weight(std::max(distance_from_share(share), least));
  return 1.0 - width * (1.0 - std::min(weight, 1.0));
}

}  // namespace

Vector edge_weights(const Apply& markov, const Vector& set, bool sharp) {
  const Vector outside = Vector::Ones(set.size()) - set;
  if (!sharp) {
    return outside;
  }
  const Vector share = markov(set).col(0);
  const Vector inner = markov(Vector(set.cwiseProduct(share))).col(0);
  return outside.cwiseProduct(share.binaryExpr(inner, &weight_of));
}

StepsBetween steps_between(const Apply& markov, const Vector& source, const Vector& sink, const Vector& between,
                           const Vector& weights, const Vector& to_sink) {
  StepsBetween steps;
  steps.weights = between.cwiseProduct(weights);
  Block ends(between.size(), 2);
  ends << source, sink;
  const Block direct = scaled_rows(between, markov(ends));
  const Vector sum = direct.rowwise().sum();
  const Vector lack = between - steps.weights;
  Block caught(between.size(), 2);
  caught << lack - lack.cwiseProduct(to_sink), lack.cwiseProduct(to_sink);
  const Block caught_next = markov(caught);
  // 1 - t_i t_j = (1 - t_i) + t_i (1 - t_j), over the steps that end in neither set: nothing cancels.
  const Vector elsewhere = (1.0 - sum.array()).max(0.0);
  const Block all = direct + scaled_rows(elsewhere, caught) + scaled_rows(steps.weights, caught_next);
  steps.into_source = all.col(0).cwiseMax(0.0);
  steps.into_sink = all.col(1).cwiseMax(0.0);
  return steps;
}

}  // namespace itomap::detail
