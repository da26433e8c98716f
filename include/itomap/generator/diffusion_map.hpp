// The standard diffusion map: the process that the sampling density dictates.
//
// From points sampled with density q, the matrix L approximates  Laplacian f + (2 - 2 alpha) grad f . grad log q  on
// the manifold the points lie on: alpha = 1 gives the Laplace-Beltrami operator, alpha = 1/2 and q = exp(-beta U) the
// overdamped Langevin process at that temperature. For any other process use target_measure_map or local_kernel_map.
//
//   K_ij = exp(-|x_i - x_j|^2 / 4 epsilon),   q = K 1,   d = q^-alpha                           (Coifman and Lafon)
//
//   points   m x N, finite, m >= 2; duplicates are legal
//   epsilon  a squared length: a number > 0, or found in the data (itomap/core/scale.hpp)
//   alpha    any real number
//   error    O(epsilon) inside, O(epsilon^1/2) at a boundary, noise O(m^-1/2 epsilon^(-1/2 - d/4))
//
//   const auto map = itomap::diffusion_map(points, {.epsilon = 0.01, .alpha = 1.0});
#pragma once

#include "itomap/generator/map.hpp"

namespace itomap {

struct DiffusionMapOptions {
  Scale epsilon = Scale::balanced();
  double alpha = 0.5;
  Normalization normalization = Normalization::Paper;  ///< bistochastic where the data ends at walls
  VariableBandwidth bandwidth{};  ///< wider kernels where points are rare; fixed unless its strength is set
  bool drop_isolated = false;     ///< leave out points that no other point can see
  KernelOptions kernel{};
  Execution execution{};
};

Map diffusion_map(PointCloud points, const DiffusionMapOptions& options = {});
/// From distances alone (itomap/core/distances.hpp).
Map diffusion_map(Distances distances, const DiffusionMapOptions& options = {});

}  // namespace itomap
