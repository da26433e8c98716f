// How far eigenvalues are to be trusted: sampling noise, and the bias of few points and of epsilon.
//
// Noise, by block subsampling: the rows are cut into B consecutive blocks (so that frames of a trajectory that belong
// together stay together), each is left out in turn, and the spread of the eigenvalues is the delete-one-block
// jackknife
//
//   sigma^2 = (B - 1) / B  sum_b (lambda_(b) - mean)^2.
//
// No eigenproblem is solved again: the map on the remaining points is projected onto the eigenfunctions at hand,
//
//   H_b = (Phi^T Psi)^-1 Phi^T P_b Psi      (rows of the left-out block dropped),
//
// whose eigenvalues are those of P_b but for terms of second order in the noise.
//
// Bias of few points: the noise of a kernel sum over m points shifts an eigenvalue by a term in 1/m, which grows as
// epsilon shrinks and which any extrapolation in epsilon would only enlarge. The map is solved on either half of the
// blocks (every other one), where the term is twice as large, and
//
//   lambda <- 2 lambda - (lambda_half1 + lambda_half2) / 2
//
// is free of it. To first order the halves have the noise of the whole, so that hardly any is added.
//
// Bias of epsilon, by Richardson extrapolation: lambda(epsilon) = lambda + a epsilon + b epsilon^2 + .., so solutions
// at 2 epsilon and 4 epsilon give
//
//   first   = 2 lambda(epsilon) - lambda(2 epsilon)                                   = lambda + O(epsilon^2)
//   limit   = (8 lambda(epsilon) - 6 lambda(2 epsilon) + lambda(4 epsilon)) / 3       = lambda + O(epsilon^3)
//
// The limit is reported; what the last step changed, |limit - first|, and no less than a quarter of what the first step
// changed, stands for what is left of the bias and is added, in quadrature, to the noise of the limit, which has its
// own jackknife: the scales share their points, and much of their noise.
//
// Cost: two more eigenproblems, easier ones, both halves of all three, and for each block and scale a kernel and one
// product with all modes.
//
//   const auto bars = itomap::error_bars(map, spectrum);
//   bars.extrapolated[1];  bars.extrapolated_error[1];
#pragma once

#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

struct ErrorBarOptions {
  Index blocks = 10;  ///< B >= 2

  void validate(Index points) const;
};

/// One entry per eigenvalue of the spectrum; errors are standard deviations, of real and imaginary part apart.
struct ErrorBars {
  Index blocks = 0;
  double epsilon = 0.0;                 ///< the smallest scale
  Eigen::VectorXcd eigenvalues;         ///< lambda(epsilon), those of the spectrum
  Eigen::VectorXcd noise;               ///< of lambda(epsilon), from the blocks
  Eigen::VectorXcd first;               ///< extrapolated from epsilon and 2 epsilon, and to many points
  Eigen::VectorXcd extrapolated;        ///< from 4 epsilon as well: lambda at epsilon -> 0 and m -> infinity
  Eigen::VectorXcd extrapolated_error;  ///< noise and what is left of the bias
  Vector timescales;                    ///< -1 / Re extrapolated; infinite where that is not negative
  Vector timescale_errors;              ///< by linear propagation
  std::vector<std::string> warnings;

  /// A table, one line for each eigenvalue but the first, as the command line prints it.
  std::string report() const;
};

ErrorBars error_bars(const Map& map, const Spectrum& spectrum, const ErrorBarOptions& options = {});

}  // namespace itomap
