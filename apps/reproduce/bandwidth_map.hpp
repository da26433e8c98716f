// A diffusion map whose bandwidth makes the target: the alternative to TMDmap that the paper names (Berry and Harlim).
//
//   K_ij = exp(-|x_i - x_j|^2 / 4 epsilon rho_i rho_j),   q_i = sum_j K_ij / rho_i^d,   d_i = 1 / q_i
//   L = diag(epsilon rho^2)^-1 (diag(K d)^-1 K diag(d) - I)
//
// tends to Laplacian f + (d + 2) grad log rho . grad f, whatever the density of the points: with
// rho = exp(-beta U / (d + 2)) that is the generator for pi = exp(-beta U). One must know d, and the kernel is
// narrowest where pi is smallest. For comparison alone: dense, O(m^3).
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// The `count` slowest time scales of modes that live on more than a handful of points, NaN where there are fewer; of
/// the largest part of the points that is connected by kernel values above 1e-8.
Vector bandwidth_timescales(PointsView points, VectorView log_bandwidth, double epsilon, Index count);

}  // namespace itomap::reproduce
