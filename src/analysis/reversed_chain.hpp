// The process run backwards in time: P~ = diag(phi_0)^-1 P^T diag(phi_0).
//
// P~ is a Markov matrix if phi_0 is stationary relative to its own size at every point. An eigensolver gives phi_0 to
// an absolute accuracy; steps of P^T, whose sums have no negative terms, carry it into the tails, and rows are divided
// by their own sums.
#pragma once

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::detail {

class ReversedChain {
 public:
  ReversedChain(const Generator& generator, const Spectrum& spectrum);

  /// P~ x; rows that are not defined are 0.
  Block apply(PointsView x) const;
  /// 1 where phi_0 is known, 0 where rounding has swallowed it.
  const Vector& defined() const { return defined_; }
  /// Approximate eigenfunctions phi_n / phi_0.
  Block slow_functions() const;

 private:
  const Generator& generator_;
  const Spectrum& spectrum_;
  Vector weights_;       // phi_0
  Vector inverse_sums_;  // 1 / P^T phi_0
  Vector defined_;
};

}  // namespace itomap::detail
