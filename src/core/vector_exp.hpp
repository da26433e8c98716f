// exp over an array, several times faster than std::exp one by one.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// values[i] = exp(-values[i]) for values >= 0; 0 where the result would be below 1e-307. Relative error < 4e-16.
void exp_of_negative(double* values, Index count);

}  // namespace itomap::detail
