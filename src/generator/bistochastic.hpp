// Weights that make a symmetric kernel bistochastic: d with d_i (K d)_i = w_i.
//
// P = diag(K d)^-1 K diag(d) then has the invariant measure w itself. Next to a wall, where a kernel loses a part of
// its mass, that is what makes the process be reflected: P is right to O(epsilon) there, if w is, where the paper's
// weights are to O(epsilon^1/2) (Marshall and Coifman 2019, Wormell and Reich 2021).
//
// With r_i = w_i / (d_i (K d)_i) an update log d += theta log r multiplies the error of log d by 1 - theta (1 + P), and
// the eigenvalues of P are between 0 and 1: theta runs through the reciprocal roots of the Chebyshev polynomial T_n on
// [1, 2]. n products leave 1 / T_n(3) of the error, 1/3363 for n = 5, where halves of log r would leave 1/32; n is what
// the error of the start asks for. The product that shows how far it came is that which a map needs of its weights
// anyway.
#pragma once

#include "itomap/core/types.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

struct Bistochastic {
  Vector log_weights;     ///< log d, 0 at the largest
  AccurateProduct sums;   ///< K d
  double residual = 0.0;  ///< the largest |log r|
  int products = 0;       ///< with the kernel
};

/// `log_measure` is log w, up to a constant; `log_start` is a guess of log d.
Bistochastic bistochastic_weights(const KernelOperator& kernel, const Vector& log_measure, Vector log_start);

}  // namespace itomap::detail
