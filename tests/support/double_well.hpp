// The separable double well U(x, y) = (x^2 - 1)^2 + y^2, and the exact spectrum of a diffusion in it.
//
//   L f = Laplacian f - beta grad U . grad f,    invariant density proportional to exp(-beta U)
//
// The y-direction is an Ornstein-Uhlenbeck process with eigenvalues -2 beta n; the x-direction is solved in one
// dimension by two methods that share nothing with diffusion maps or with each other. Sums of the two are the spectrum.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::exact {

/// The potential along x, (x^2 - 1)^2.
double well(double x);

class DoubleWell {
 public:
  explicit DoubleWell(double beta) : beta_(beta) {}

  double beta() const { return beta_; }
  /// U at points of the plane.
  static Vector potential(PointsView points);
  /// -beta U.
  Vector log_invariant(PointsView points) const { return -beta_ * potential(points); }
  /// -beta grad U: the drift of dX = -beta grad U dt + sqrt(2) dW.
  Points drift(PointsView points) const;

  /// The first `count` eigenvalues, 0 first: sinc collocation of the equivalent Schroedinger operator, whose error
  /// falls exponentially in the number of nodes.
  Vector spectrum(Index count) const;

 private:
  double beta_;
};

/// The slow mode psi_1(x) of the double well, accurate in the tails too. From (pi psi')' = lambda pi psi and the odd
/// symmetry follows
///
///   psi(x) = -lambda int_0^x int_s^infinity exp(-beta (U(t) - U(s))) psi(t) dt ds,
///
/// whose integrands are positive: iterating it loses no digits, however small pi is. (A finite-element or spectral
/// eigenvector divided by pi^1/2 is rounding noise there.)
class SlowMode {
 public:
  explicit SlowMode(double beta);

  double eigenvalue() const { return eigenvalue_; }
  /// psi_1 with unit mean square under the invariant density, positive on the right.
  double operator()(double x) const;

 private:
  double eigenvalue_ = 0.0;
  Vector psi_;  // at the nodes k * spacing, k = 0, 1, ...
};

}  // namespace itomap::exact
