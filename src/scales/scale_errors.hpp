// Errors of the leading eigenvalues, their real parts, at several scales, estimated from how they change from one scale
// to the next.
//
// Two biases have opposite habits: that of the kernel's width grows like epsilon; that of few points, from the noise of
// the kernel sums, which enters in second order, grows like 1 / (m epsilon^(d/2)) as neighbours run out. With
//
//   lambda(epsilon) = lambda* + a epsilon + c epsilon^-p,      p = d/2,
//
// three scales, each half of the one before, give a, c and lambda*. One difference alone would take the top of a hill
// for a plateau, and the rise at the small end for the truth. As the law holds for small epsilon only, lambda* of
// narrower scales counts too, down to where half of lambda is gone for want of points, as far as it is beyond their own
// noise and want of points:
//
//   width_k^2 = max over j > k of |lambda_k - few_k - lambda*_j|^2 - noise^2 - few_j^2, and at least (a epsilon_k)^2.
//
// The noise is that of the difference, whose terms share their points: a jackknife of it, over blocks of rows.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct TriedScale {
  Vector lambda;                // real parts, leading modes but lambda_0, slowest first; empty: there is no solution
  std::vector<Vector> without;  // likewise, one block of rows left out after the other
};

/// What is compared: real parts, from which time scales are. Imaginary parts come and go where two modes meet.
Vector slowest_first(const Eigen::VectorXcd& lambda);

/// Root mean squares over the modes, relative to lambda.
struct ScaleErrors {
  double width;  ///< bias of the kernel's width
  double few;    ///< bias of few points
  double noise;
};

/// Scales by descending epsilon, of which the longest row without a gap is judged. NaN for all others and for the
/// widest, whose errors cannot be told.
std::vector<ScaleErrors> scale_errors(const std::vector<TriedScale>& tried, double dimension);

}  // namespace itomap::detail
