// Averages of observables over the invariant measure, with error bars.
//
// phi_0 turns points of any sampling density into a weighted sample of the invariant measure pi:
//
//   mean            sum_i w_i f(x_i) / sum_i w_i,   w = phi_0
//   effective size  n = (sum_i w_i)^2 / sum_i w_i^2                           (Kish)
//
// The weights are a quadrature, not the importance weights of independent draws: they know how many points are where,
// and make up for it. The usual error of a weighted mean, of order n^-1/2, is therefore no error of these means: it is
// often ten times too large, and it does not know their bias of order epsilon. Error bars come from the map instead,
// made again without each of several blocks of points and at 2 and 4 epsilon: itomap/analysis/error_bars.hpp has the
// formulas, and its options.
//
// Contract: weights m numbers >= 0; rows whose weight is NaN (points that were dropped) are left out, whatever the
// observables hold there. Elsewhere observables, m x k, must be finite. Where n < 50 there is a warning: so few points
// carry the weight that the quadrature itself is coarse.
//
// Cost of error bars: three times (1 + blocks) kernels with two products each; maps that are not reversible: two
// eigenproblems in addition, and five products with all modes for each block and scale.
//
//   const auto average = itomap::expectation(map, spectrum, points.col(0).cwiseAbs2());
//   average.extrapolated[0];  average.extrapolated_error[0];
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/analysis/error_bars.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

struct Averages {
  Vector mean;                    ///< one for each observable
  Vector standard_deviation;      ///< of the observable itself under pi
  double effective_points = 0.0;  ///< n
  Index points = 0;               ///< that were used

  Vector noise{};               ///< standard deviation of the mean from sample to sample; empty without error bars
  Vector extrapolated{};        ///< the mean at epsilon -> 0 and for many points
  Vector extrapolated_error{};  ///< its noise, and what is left of the bias
  std::optional<Replication> replication{};  ///< how error bars were found
  std::vector<std::string> warnings{};

  /// A table, one line for each observable, as the command line prints it.
  std::string report() const;
};

/// With error bars. One row of observables for each point of the user's data.
Averages expectation(const Map& map, const Spectrum& spectrum, PointsView observables,
                     const ErrorBarOptions& options = {});
/// Without: from the weights alone.
Averages expectation(VectorView stationary, PointsView observables);

}  // namespace itomap
