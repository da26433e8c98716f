// Kernels as the paper writes them, entry by entry: dense, O(m^2), kept as logarithms so that nothing underflows.
#pragma once

#include <stdexcept>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/kernel/diffusion.hpp"

namespace itomap::reference {

/// Length of one period of each coordinate, 0 where it is not periodic; empty if none is.
using Period = std::vector<double>;

/// Kernels far wider than a period have more images than there is time to sum.
class TooManyImages : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LogKernel {
  Matrix values;     ///< log K, all periodic images summed
  Matrix exponents;  ///< -log of the largest image of each entry: what a cut-off looks at
  Matrix cut;        ///< log K with all images below the cut-off left out; times the largest of rows that are below it
};

/// Row i is exp(-|x_i - x_j + epsilon_i b_i|^2_{(A_i + eta I)^-1} / 4 epsilon_i), eq. (localkernel_reg), at a time step
/// of its own.
LogKernel local_kernel(PointsView points, PointsView drift, const Diffusion& diffusion, const Vector& epsilon,
                       double eta, const Period& period, double cutoff = 0.0);

/// exp(-|x_i - x_j|^2 (rho_i^-2 + rho_j^-2) / 8 epsilon); with rho = 1 the isotropic kernel, eq. (kernel).
LogKernel variable_kernel(PointsView points, const Vector& rho, double epsilon, const Period& period, double cutoff);

/// rho = r^strength with r the root mean square distance to the nearest points, the point itself the first of them, in
/// units in which the geometric mean of rho is 1.
Vector bandwidth(PointsView points, double strength, Index neighbours, const Period& period);

/// log of exp(-|x_i - x_j|^2 / 4 epsilon), eq. (kernel), summed over all periodic images.
Matrix log_isotropic_kernel(PointsView points, double epsilon, const Period& period = {});

/// log of exp(-|x_i - x_j + epsilon b_i|^2_{(A_i + eta I)^-1} / 4 epsilon), eq. (localkernel_reg), summed over images.
Matrix log_local_kernel(PointsView points, PointsView drift, const Diffusion& diffusion, double epsilon, double eta,
                        const Period& period = {});

/// log of the row sums of a kernel given by its logarithm.
Vector log_row_sums(const Matrix& log_kernel);

}  // namespace itomap::reference
