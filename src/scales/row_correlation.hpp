// How many rows of a trajectory count as one: the integrated autocorrelation time of functions along the rows.
//
//   tau = 1 + 2 sum_{j > 0} corr(f(x_t), f(x_{t+j}))
//
// is 1 for independent rows; the mean of f over m rows has the variance var(f) tau / m. It is read off block means
// (Flyvbjerg and Petersen 1989): n rows have a mean of variance var(f) tau / n once n is much larger than tau. Blocks
// grow by factors of two until they are `enough` times as long as the tau that they show.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct RowCorrelation {
  double rows = 1.0;     ///< tau, the largest of all functions, at least 1
  bool resolved = true;  ///< false: the rows are too few to see an end of it, and tau is at least that
};

/// Functions on consecutive rows, one column each; no block reaches across the end of a run, where these are given.
RowCorrelation row_correlation(PointsView functions, const std::vector<Index>& run_ends = {});

}  // namespace itomap::detail
