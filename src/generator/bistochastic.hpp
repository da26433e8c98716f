// Weights that make a symmetric kernel bistochastic: d with d_i (K d)_i = w_i.
//
// P = diag(K d)^-1 K diag(d) then has the invariant measure w itself. Next to a wall, where a kernel loses a part of
// its mass, that is what makes the process be reflected: P is right to O(epsilon) there, if w is, where the paper's
// weights are to O(epsilon^1/2) (Marshall and Coifman 2019, Wormell and Reich 2021).
//
// With r_i = w_i / (d_i (K d)_i) an update log d += theta log r multiplies the error of log d by 1 - theta (1 + P), and
// the eigenvalues of P are between 0 and 1: theta runs through the reciprocal roots of a Chebyshev polynomial on [1,
// 2]: five products leave 1/3363 of it, where halves of log r would leave 1/32.
#pragma once

#include "itomap/core/types.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

struct Bistochastic {
  Vector log_weights;     ///< log d
  double residual = 0.0;  ///< the largest |log r|, before the last update
};

/// `log_measure` is log w; `log_start` is a guess of log d.
Bistochastic bistochastic_weights(const KernelOperator& kernel, const Vector& log_measure, Vector log_start);

}  // namespace itomap::detail
