// The constructions of the paper, written down as they stand there: dense, O(m^2), no cut-off, no clever storage.
//
// Fast code is compared with this. Kernels are kept as logarithms and every row is scaled by its largest entry before
// it is exponentiated, so that nothing underflows. Of the library only the array types and `Diffusion` are used.
//
//   P = diag(K d)^-1 K diag(d),   L = (P - I) / epsilon,   L* = diag(q) L^T diag(q)^-1
#pragma once

#include <Eigen/Core>

#include "support/reference_kernel.hpp"

namespace itomap::reference {

struct Map {
  double epsilon = 0.0;
  Matrix log_kernel;   ///< log K
  Vector log_weights;  ///< log d
  Vector log_density;  ///< log q; zero for the biased kernel, whose L* is L^T
  Matrix markov;       ///< P

  Matrix backward() const;  ///< L
  Matrix forward() const;   ///< L*

  /// How far, in the sum of absolute differences, each row of P can be from one whose kernels leave out entries below
  /// `cutoff`; times the largest entry of the row where even that is below it.
  Vector cutoff_bound(double cutoff) const;
};

/// d = q^-alpha.
Map diffusion_map(PointsView points, double epsilon, double alpha, const Period& period = {});

/// d = pi^1/2 / q, eq. (TMDmap).
Map target_measure_map(PointsView points, VectorView log_target, double epsilon, const Period& period = {});

struct LocalKernelParameters {
  double epsilon = 0.0;
  double density_epsilon = 0.0;
  double eta = 0.0;
  Period period = {};
};

/// d = 1 / q, eq. (LKDmap) and (LKDmap_star).
Map local_kernel_map(PointsView points, PointsView drift, const Diffusion& diffusion, const LocalKernelParameters& p);

/// d = 1: Berry and Sauer, eq. (localkernels_L) and (localkernels_Lstar).
Map biased_local_kernel_map(PointsView points, PointsView drift, const Diffusion& diffusion,
                            const LocalKernelParameters& p);

/// Eigenvalues of a real matrix by descending real part, then descending imaginary part.
Eigen::VectorXcd eigenvalues(const Matrix& matrix);

}  // namespace itomap::reference
