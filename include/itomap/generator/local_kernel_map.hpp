// The local kernel diffusion map (LKDmap): any drift b(x) and diffusion A(x), reversible or not.
//
// Given b and A at points sampled from any density, the matrices L and L* approximate the backward and forward
// generators of dX = b dt + sigma dW with A = sigma sigma^T / 2:
//
//   L f = b . grad f + A_ij d_i d_j f           L* rho = -div(b rho) + d_i d_j (A_ij rho)
//
//   K_ij = exp(-(y_i - x_j)^T (A_i + eta I)^-1 (y_i - x_j) / 4 epsilon),  y_i = x_i + epsilon b_i   (localkernel_reg)
//   q = row sums of the isotropic kernel at density_epsilon,   d = 1 / q                            eq. (LKDmap)
//
// `biased` takes d = 1 instead: the local kernel of Berry and Sauer, which is right for uniform sampling only.
//
//   points           m x N, finite, m >= 2; duplicates are legal
//   drift            m x N
//   diffusion        see itomap/kernel/diffusion.hpp; A + eta I positive definite everywhere
//   epsilon          a *time*: the kernel's width in space is about (epsilon A)^1/2; a number > 0, or found in the
//                    data (itomap/core/scale.hpp)
//   density_epsilon  a squared *length*; unless given, or found with epsilon, epsilon times the median of
//                    det(A + eta I)^(1/N), which makes both kernels equally wide
//   eta              >= 0, added to A where it comes from noisy estimates
//   keep_traps       a point with hardly another in reach may hold the chain for good, and all of its stationary weight
//                    with it: unless these are kept, no step leads to them, and diagnostics name them
//
//   const auto map = itomap::local_kernel_map(points, drift, itomap::Diffusion::constant(1 / beta), {.epsilon = 0.03});
#pragma once

#include "itomap/generator/map.hpp"

namespace itomap {

struct LocalKernelMapOptions {
  Scale epsilon = Scale::balanced();
  Scale density_epsilon = Scale::balanced();
  double eta = 0.0;
  bool biased = false;
  Normalization normalization = Normalization::Paper;  ///< bistochastic where the data ends at walls
  Step step = Step::Euler;
  VariableBandwidth bandwidth{};  ///< longer steps where points are rare; fixed unless its strength is set
  bool drop_isolated = false;     ///< leave out points that see no other point
  /// Let the process enter points that would hold it: the formula to the letter.
  bool keep_traps = false;
  KernelOptions kernel{};
  Execution execution{};
};

Map local_kernel_map(PointCloud points, Points drift, Diffusion diffusion, const LocalKernelMapOptions& options = {});

}  // namespace itomap
