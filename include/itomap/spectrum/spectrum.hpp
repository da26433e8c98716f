// Eigenvalues, eigenfunctions and time scales of a generator.
//
// L psi_n = lambda_n psi_n, with lambda_0 = 0 and psi_0 = 1 first and then by descending real part: slowest first.
// Reversible maps (diffusion map, TMDmap) are solved in their symmetric form and have real eigenvalues; LKDmap may have
// complex pairs, which come side by side with the positive imaginary part first. Repeated eigenvalues are returned as
// often as they occur: blocks find up to four copies of each, and where as many were found, sweeps in the complement
// look for more.
//
// Contract: every pair comes with its residuals |P psi - mu psi| / |psi| and |P^T phi - mu phi| / |phi|,
// mu = 1 + epsilon lambda, and a status that looks at both.
// A pair that did not converge is a status, not an exception. Modes that live on a handful of points are flagged as
// spurious: see is_spurious below. The same bits for any number of threads.
//
//   const auto spectrum = itomap::eigenpairs(map, {.count = 10});
//   spectrum.eigenvalues(1).real();       // lambda_1
//   spectrum.timescales(1);               // -1 / Re lambda_1
//   spectrum.eigenfunctions.col(1);       // psi_1 at the points
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/eigenfunctions.hpp"

namespace itomap {

struct EigenpairsOptions {
  /// Eigenpairs beyond lambda_0 that are not spurious, at most m - 1. Spurious ones among them come on top, up to as
  /// many as all of these or 20; what is then left out is said in a warning.
  Index count = 10;
  double tolerance = 1e-9;     ///< on the residual of P psi = mu psi, |mu| <= 1
  Index max_products = 20000;  ///< give up, with a status, after so many products with a single vector
  std::uint64_t seed = 0;      ///< of the start block
  /// A mode is spurious if the statistical error 1/sqrt(n) of its effective number n of points exceeds this; judged by
  /// |phi psi|, and for maps that are not reversible by |phi| too.
  double spurious_error = 0.3;
  void validate(Index points) const;
};

enum class PairStatus { Converged, NotConverged };

struct Spectrum {
  Eigen::VectorXcd eigenvalues;  ///< lambda_n, K + 1 values and the spurious ones among them
  /// Re log(1 + epsilon lambda_n) / epsilon: the better rate when |epsilon lambda| is not small, and far from lambda_n
  /// where it is. With a variable bandwidth kappa in  lambda_n = mean of (exp(kappa t_i) - 1) / t_i  over the points,
  /// weighted by |phi_n psi_n|, for the times t_i = epsilon rho_i^2 of their steps.
  Vector rates_log;
  Vector timescales;       ///< -1 / Re lambda_n, the paper's; infinite for lambda = 0
  Vector timescales_log;   ///< -1 / rates_log
  double time_step = 0.0;  ///< of P: mu = 1 + time_step lambda

  /// Right eigenfunctions, m x (K+1), unit stationary-weighted mean square, largest entry positive; real for reversible
  /// maps.
  Eigenfunctions eigenfunctions;
  /// Left eigenfunctions: measure weights on the points, biorthonormal to the right ones: sum_i phi_n psi_n = 1.
  Eigenfunctions left_eigenfunctions;

  Vector stationary;      ///< phi_0 >= 0, sums to 1: weights for averages over the invariant measure
  Vector residuals;       ///< one per right pair
  Vector left_residuals;  ///< one per left pair
  std::vector<PairStatus> status;
  std::vector<Index> spurious;        ///< indices n of flagged modes
  Vector effective_points;            ///< effective number of points that carry each mode
  Index products = 0;                 ///< products of K or K^T with a single vector
  double product_seconds = 0.0;       ///< that these products took
  Index condensed_size = 0;           ///< unknowns that the grid engine condensed the kernel to; 0 if it did not
  Index condensed_products = 0;       ///< products with the condensed kernel, with a single vector
  std::vector<std::string> warnings;  ///< what a user should know, one line each

  bool is_real() const { return eigenfunctions.is_real(); }
  bool is_spurious(Index n) const;

  /// How much each eigenvalue moves where P does: |phi_n| |psi_n| / |phi_n^T psi_n|, in the norms of the stationary
  /// weights, (sum phi^2 / phi_0)^1/2 and (sum phi_0 psi^2)^1/2. 1 for reversible maps. A perturbation of P of size e,
  /// such as a residual, moves mu_n by up to e times as much, and lambda_n by that over the time step.
  Vector condition_numbers() const;

  /// A table, one line for each pair, as the command line prints it.
  std::string report() const;
};

Spectrum eigenpairs(const Map& map, const EigenpairsOptions& options = {});

}  // namespace itomap
