// From numbers that a map gives at epsilon, 2 epsilon and 4 epsilon, on all points and without each of B blocks of
// them, to their limits with an error.
//
// Noise and the bias of few points, by the jackknife: with v of all points and v_b without block b,
//
//   sigma^2 = (B - 1) / B  sum_b (v_b - mean)^2,        v <- B v - (B - 1) mean.
//
// The second removes what falls like 1 / m, the noise of kernel sums in second order. Bias of epsilon, by Richardson
// extrapolation in powers p and 2 p of epsilon: with r = 2^p,
//
//   first = (r v(eps) - v(2 eps)) / (r - 1),            limit = (r^2 first(eps) - first(2 eps)) / (r^2 - 1).
//
// p = 1 inside, 1/2 where the data ends at walls. Where weights reflect the process there, p = 1 is followed by 3/2,
// not by 2: r^2 is 2^3/2 then. What is left is of the power 3 p. Were the coefficients of the series in geometric
// progression, it would be r s_2^2 / s_1, with the steps s_1 = first - v and s_2 = limit - first. That stands for it,
// but no more than s_2 itself and no less than s_1 / 16; the noise of the steps is taken off first.
#pragma once

#include <array>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

constexpr std::size_t scale_count = 3;
constexpr std::array<double, scale_count> scale_factors{1.0, 2.0, 4.0};

/// What weights the values at the three scales have.
struct Extrapolation {
  std::array<double, scale_count> first;
  std::array<double, scale_count> limit;
  double ratio;  // r

  static Extrapolation in_powers_of(double p) { return in_powers_of(p, 2.0 * p); }
  static Extrapolation in_powers_of(double p, double next);
};

/// n numbers at each scale, of all points and without each block. A replicate that does not know one of them, as at
/// points that were left out, has NaN there at every scale.
struct ReplicatedValues {
  std::array<Vector, scale_count> all;
  std::array<std::vector<Vector>, scale_count> without;
};

struct LimitValues {
  Vector noise;  ///< of the values at epsilon
  Vector first;
  Vector limit;
  Vector error;                ///< of the limit
  std::vector<char> no_limit;  ///< not 0 where steps grow instead of shrinking
};

/// `size` says how large a step of each number is large: beyond a twentieth of it steps that grow are no accident.
LimitValues limits_of(const ReplicatedValues& values, const Extrapolation& extrapolation, const Vector& size);

}  // namespace itomap::detail
