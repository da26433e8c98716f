// The condensed form of an operator as an operator of its own.
#pragma once

#include "solvers/linear_operator.hpp"

namespace itomap::detail {

/// It, and the ways between the two. Its operator refers to this object.
class Condensation {
 public:
  /// `a` has a condensed form, and keeps it.
  Condensation(const Condensation&) = delete;
  Condensation& operator=(const Condensation&) = delete;
  explicit Condensation(const LinearOperator& a) : c_(*a.condensed), transposed_(a.transposed) {
    small_ = {.size = c_.size(),
              .symmetric = a.symmetric,
              .apply = [this](PointsView u) { return apply(u); },
              .cheap = true,
              .transposed = a.transposed,
              .coarse = a.condensed_coarse};
  }

  const LinearOperator& small() const { return small_; }
  Block condense(PointsView f) const { return transposed_ ? c_.condense_transpose(f) : c_.condense(f); }
  Block expand(PointsView u) const { return transposed_ ? c_.expand_transpose(u) : c_.expand(u); }

 private:
  Block apply(PointsView u) const {
    Block v(u.rows(), u.cols());
    if (transposed_) {
      c_.apply_transpose(u, v);
    } else {
      c_.apply(u, v);
    }
    return v;
  }

  const CondensedOperator& c_;
  bool transposed_;
  LinearOperator small_;
};

}  // namespace itomap::detail
