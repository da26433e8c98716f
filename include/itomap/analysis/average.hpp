// Averages of observables over the invariant measure, with an error bar.
//
// phi_0 turns points of any sampling density into a weighted sample of the invariant measure pi:
//
//   mean            sum_i w_i f(x_i) / sum_i w_i,   w = phi_0
//   effective size  n = (sum_i w_i)^2 / sum_i w_i^2                           (Kish)
//   standard error  (n / (n - 1) sum_i w_i^2 (f(x_i) - mean)^2)^1/2 / sum_i w_i
//
// The standard error is that of a weighted mean of independent points; for equal weights it is the usual s / m^1/2.
// Points of a trajectory are not independent: their error is larger by the square root of the number of frames that one
// independent frame stands for. The bias of the map, of order epsilon, is not in it either.
//
// Contract: weights m numbers >= 0; rows whose weight is NaN (points that were dropped) are left out, whatever the
// observables hold there. Elsewhere observables, m x k, must be finite. The error bar itself is uncertain by about
// 1 / (2 n)^1/2; where that exceeds 10 %, for n < 50, there is a warning.
//
//   const auto average = itomap::expectation(spectrum.stationary, points.col(0).cwiseAbs2());
//   average.mean[0];  average.standard_error[0];
#pragma once

#include <string>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

struct Averages {
  Vector mean;                    ///< one for each observable
  Vector standard_error;          ///< of the mean; infinite if a single point carries all weight
  Vector standard_deviation;      ///< of the observable itself under pi
  double effective_points = 0.0;  ///< n
  Index points = 0;               ///< that were used
  std::vector<std::string> warnings;

  /// A table, one line for each observable, as the command line prints it.
  std::string report() const;
};

Averages expectation(VectorView stationary, PointsView observables);

}  // namespace itomap
