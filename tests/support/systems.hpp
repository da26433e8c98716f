// Diffusions whose spectrum is known exactly: linear processes, and Laplacians on a circle, a sphere and a flat torus.
//
// All spectra start with 0, descend in real part, and repeat an eigenvalue as often as it occurs; complex pairs have
// the positive imaginary part first, as in itomap::Spectrum.
#pragma once

#include <Eigen/Core>

#include "itomap/core/types.hpp"

namespace itomap::exact {

/// By descending real part, then descending imaginary part; real parts that differ by rounding count as equal.
Eigen::VectorXcd sorted(Eigen::VectorXcd values);

/// dX = -B X dt + sigma dW with A = sigma sigma^T / 2: L f = -B x . grad f + A_ij d_i d_j f.
struct LinearProcess {
  Matrix B;  ///< eigenvalues with positive real part
  Matrix A;  ///< symmetric positive definite

  Index dimension() const { return B.rows(); }
  Points drift(PointsView points) const;

  /// Sums of n_i times the eigenvalues of -B, over all n_i >= 0 (the diffusion plays no part); `count` of them.
  Eigen::VectorXcd spectrum(Index count) const;

  /// What LKDmap finds at this epsilon from infinitely many, perfectly unbiased points: (prod mu_i^n_i - 1) / epsilon
  /// with mu_i the eigenvalues of the Euler step I - epsilon B. In the order of `spectrum`.
  Eigen::VectorXcd euler_spectrum(double epsilon, Index count) const;

  /// What TMDmap finds likewise, for symmetric B and A = I: mu_i the eigenvalues of (I + epsilon B)^-1.
  Eigen::VectorXcd implicit_spectrum(double epsilon, Index count) const;

  /// Covariance S of the invariant Gaussian, from the Lyapunov equation B S + S B^T = 2 A.
  Matrix covariance() const;
  /// log of the invariant density at the points, normalised.
  Vector log_invariant(PointsView points) const;
};

/// B = A = I: the Ornstein-Uhlenbeck process, L f = Laplacian f - x . grad f, eigenvalues -n.
LinearProcess ornstein_uhlenbeck(Index dimension);

/// A rotation faster than the decay, with correlated noise: eigenvalues -1 +- 2i, and no detailed balance.
LinearProcess rotating_process();

/// Laplacian on the unit circle: 0, then -n^2 twice.
Vector circle_spectrum(Index count);
/// On the unit sphere: -l (l + 1), 2 l + 1 times.
Vector sphere_spectrum(Index count);
/// On the product of two unit circles: -(j^2 + k^2) for all integers j, k.
Vector torus_spectrum(Index count);

}  // namespace itomap::exact
