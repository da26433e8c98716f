// The simplex method of Nelder and Mead: the minimum of a function of a few variables, without derivatives.
#pragma once

#include <functional>

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct Minimum {
  Vector x;
  double value = 0.0;
  Index evaluations = 0;
  bool converged = false;
};

struct NelderMeadOptions {
  double step = 0.1;              ///< edge of the first simplex
  double tolerance = 1e-8;        ///< on the value
  Index max_evaluations = 10000;  ///< give up after so many
};

/// The method is started anew where it stopped, until that gains no more than the tolerance: a simplex may collapse
/// before it has reached a minimum.
Minimum nelder_mead(const std::function<double(const Vector&)>& f, const Vector& start,
                    const NelderMeadOptions& options);

}  // namespace itomap::detail
