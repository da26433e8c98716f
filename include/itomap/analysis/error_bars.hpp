// How far a result is to be trusted: sampling noise, and the biases of few points and of epsilon.
//
// Noise, by block subsampling: the rows are cut into B consecutive blocks (so that frames of a trajectory that belong
// together stay together) and each is left out in turn. A number v of the map is v_(b) without the b-th block, and the
// delete-one-block jackknife says how much it would vary from sample to sample, and how far few points bias it:
//
//   sigma^2 = (B - 1) / B  sum_b (v_(b) - mean)^2,        v <- B v - (B - 1) mean of v_(b)
//
// The second removes what falls like 1/m, the noise of kernel sums in second order, which grows as epsilon shrinks and
// which an extrapolation in epsilon would only enlarge.
//
// Rows that remember each other: blocks must be longer than their memory. tau, the integrated autocorrelation time of
// the slowest eigenfunctions along the rows, is read off the data; blocks have 2.5 tau rows or more, and there are
// fewer of them where that takes it. A warning says when too few are left. Give `runs` where rows are several
// trajectories, one after the other.
//
// Bias of epsilon, by Richardson extrapolation: solutions at 2 epsilon and 4 epsilon give, with r = 2^p,
//
//   first = (r v(epsilon) - v(2 epsilon)) / (r - 1),     extrapolated = (r^2 first(epsilon) - first(2 epsilon)) / (r^2
//   - 1)
//
// for a series in powers p, 2p, .. of epsilon: p = 1 inside, p = 1/2 where the data ends at walls and the invariant
// measure does not; 1 and 3/2 where bistochastic weights reflect it there. Which it is shows in the data, in the weight
// of points whose neighbours lie to one side; three scales alone do not tell, as a series that bends imitates either.
// What is left of the bias is estimated from the steps of the extrapolation and added, in quadrature, to the noise of
// the limit, which has its own jackknife: the scales share their points, and much of their noise. Where the last step
// is larger than the one before, beyond its noise, the error covers both and a warning says that no limit can be told.
//
// Reversible maps: log(1 + epsilon lambda) / epsilon is extrapolated, which has the same limit and less of a way to it.
//
// Cost: two more eigenproblems, easier ones, and for each block and scale a part of the kernel and up to nine products
// with all modes, thirteen with functions (of each side, if the map is not reversible).
//
//   const auto bars = itomap::error_bars(map, spectrum);
//   bars.extrapolated[1];  bars.extrapolated_error[1];
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/core/ranks.hpp"
#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

struct ErrorBarOptions {
  static constexpr Index fewest_points = 20;  ///< in a map that has error bars: two blocks of ten

  Index blocks = 10;              ///< B >= 2, at most: fewer where they would have less than ten points
  std::vector<Index> runs{};      ///< lengths of the runs that the user's rows consist of; empty: a single one
  std::optional<double> power{};  ///< p, 1 or 1/2; unset: as the data says
  bool functions = false;         ///< errors of the eigenfunctions too, point by point
  /// Processes that share the replicates, each with the same map; all have the result, the same as of one. Null: this
  /// one alone.
  const Ranks* ranks = nullptr;

  /// Of `points` in the map, out of `input_points`.
  void validate(Index points, Index input_points) const;
};

/// How error bars were found: what all of those of a map have in common.
struct Replication {
  Index blocks = 0;              ///< that were left out in turn
  double epsilon = 0.0;          ///< the smallest scale
  double power = 1.0;            ///< p
  double wall_weight = 0.0;      ///< share of the invariant measure next to walls; 0 where none were seen
  double correlated_rows = 1.0;  ///< tau: so many rows are worth one that is independent
  std::vector<std::string> warnings;

  /// One line, as the command line prints it.
  std::string report() const;
};

/// One entry per eigenvalue of the spectrum; errors are standard deviations, of real and imaginary part apart.
struct ErrorBars : Replication {
  Eigen::VectorXcd eigenvalues;         ///< lambda(epsilon), those of the spectrum
  Eigen::VectorXcd noise;               ///< of lambda(epsilon), from the blocks
  Eigen::VectorXcd first;               ///< extrapolated from epsilon and 2 epsilon, and to many points
  Eigen::VectorXcd extrapolated;        ///< from 4 epsilon as well: lambda at epsilon -> 0 and m -> infinity
  Eigen::VectorXcd extrapolated_error;  ///< noise and what is left of the bias
  Vector timescales;                    ///< -1 / Re extrapolated; infinite where that is not negative
  Vector timescale_errors;              ///< by linear propagation

  /// psi at epsilon -> 0 and its standard errors at the points, m x (K+1); empty unless asked for. Signs and phases are
  /// those of the spectrum. Of copies of an eigenvalue only the plane that they span is determined: errors are large.
  Eigenfunctions extrapolated_functions{};
  Eigenfunctions function_errors{};

  /// A table, one line for each eigenvalue but the first, as the command line prints it.
  std::string report() const;
};

ErrorBars error_bars(const Map& map, const Spectrum& spectrum, const ErrorBarOptions& options = {});

}  // namespace itomap
