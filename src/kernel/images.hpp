// Sums over the images of periodic coordinates, axis by axis.
//
// A kernel along the axes, exp(-sum_a q_a d_a^2), is a product over the axes, and so is its sum over all images:
//
//   sum_n exp(-q (d + n P)^2) = exp(-q d_0^2) f(d_0),      d_0: the difference to the nearest image, f >= 1.
//
// N axes with n images each cost N n terms, not n^N, and no more than a handful of them at any width: a kernel wider
// than the period is the flatter the shorter its Fourier series.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// The difference d of two coordinates in [0, period], taken to the nearest image; without a period, 0, d itself.
inline double nearest_image(double d, double period) {
  return d - period * (double(d > 0.5 * period) - double(d < -0.5 * period));
}

/// values[j] *= f for q[j] and the difference d[j] to the nearest image, 0 <= j < count.
void multiply_images(const double* d, const double* q, double period, Index count, double* values);

}  // namespace itomap::detail
