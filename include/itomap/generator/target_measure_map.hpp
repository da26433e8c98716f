// The target measure diffusion map (TMDmap): reversible dynamics in any density you name.
//
// The points may come from any density q: biased, unconverged, at another temperature. Given log pi at the points, up
// to a constant, the matrix L approximates  Laplacian f + grad log pi . grad f,  the generator of
// dX = grad log pi dt + sqrt(2) dW, whose invariant density is pi. q cancels; it only has to cover where pi lives.
//
//   K_ij = exp(-|x_i - x_j|^2 / 4 epsilon),   q = K 1,   d = pi^1/2 / q                               eq. (TMDmap)
//
//   points      m x N, finite, m >= 2; duplicates are legal
//   log_target  m, finite; only differences matter
//   epsilon     a squared length: a number > 0, or found in the data (itomap/core/scale.hpp)
//   error       O(epsilon) inside, O(epsilon^1/2) at a boundary, noise O(m^-1/2 epsilon^(-1/2 - d/4))
//
//   const auto map = itomap::target_measure_map(points, -beta * U, {.epsilon = 0.01});
//   const auto spectrum = itomap::eigenpairs(map, {.count = 10});
#pragma once

#include "itomap/generator/map.hpp"

namespace itomap {

struct TargetMeasureMapOptions {
  Scale epsilon = Scale::balanced();
  Normalization normalization = Normalization::Paper;  ///< bistochastic where the data ends at walls
  VariableBandwidth bandwidth{};  ///< wider kernels where points are rare; fixed unless its strength is set
  bool drop_isolated = false;     ///< leave out points that no other point can see
  KernelOptions kernel{};
  Execution execution{};
};

Map target_measure_map(PointCloud points, Vector log_target, const TargetMeasureMapOptions& options = {});
/// From distances alone (itomap/core/distances.hpp).
Map target_measure_map(Distances distances, Vector log_target, const TargetMeasureMapOptions& options = {});

}  // namespace itomap
