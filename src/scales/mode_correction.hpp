// What a mode of one operator lacks to be one of another that is near it.
//
// With f = (f_0, f_1, ..) nearly invariant under P, in the sense of the dual functions g, (P - mu_n) f_n is small;
// r_n is what it has beside f. The correction x_n solves, in the complement of f,
//
//   (P - mu_n) x_n = -r_n,          mu = the diagonal of (g^T f)^-1 g^T P f,
//
// by conjugate residuals, all modes side by side, one product with P a step. Powers of P would do the same, but slowly:
// one takes off the share 1 - mu_k / mu_n along the next modes, which is epsilon |lambda_k - lambda_n|.
#pragma once

#include <functional>

#include "itomap/spectrum/eigenfunctions.hpp"

namespace itomap::detail {

/// f + x, and P (f + x).
struct CorrectedModes {
  Eigenfunctions f;
  Eigenfunctions image;
};

/// When it is enough.
struct CorrectionLimits {
  int steps;        ///< at most
  double residual;  ///< the share of r that may be left
};

using FunctionOperator = std::function<Eigenfunctions(const Eigenfunctions&)>;

/// `weights` belong to the norm in which residuals are made small: that in which P is symmetric, if it is in any.
CorrectedModes corrected_modes(const FunctionOperator& p, const Eigenfunctions& f, const Eigenfunctions& dual,
                               const Vector& weights, const CorrectionLimits& limits);

}  // namespace itomap::detail
