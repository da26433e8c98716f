// Small components of a map that is not reversible, solved as small dense matrices.
#pragma once

#include <vector>

#include "spectrum/paired_sides.hpp"
#include "spectrum/small_components.hpp"

namespace itomap::detail {

/// A mode of a small component other than its zero mode, by its values at the component's points.
struct SmallMarkovMode {
  std::complex<double> mu;
  const std::vector<Index>* points;
  TwoSided vectors;
};

struct SmallMarkov {
  Vector stationary;  ///< of each by itself, zero at all other points
  std::vector<SmallMarkovMode> modes;
};

/// Refers to the members of `small`. Modes without a left side to the tolerance are left out.
SmallMarkov small_markov(const SmallComponents& small, const LinearOperator& p, double tolerance);

}  // namespace itomap::detail
