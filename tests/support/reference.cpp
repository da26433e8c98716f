#include "support/reference.hpp"

#include <cmath>

#include "core/dense_algebra.hpp"
#include "support/systems.hpp"

namespace itomap::reference {
namespace {

Map markov_map(double epsilon, const Matrix& log_kernel, const Vector& log_weights, const Vector& log_density) {
  const Matrix weighted = log_kernel.rowwise() + log_weights.transpose();
  const Vector log_sums = log_row_sums(weighted);
  return {epsilon, log_kernel, log_weights, log_density, (weighted.colwise() - log_sums).array().exp()};
}

}  // namespace

Matrix Map::backward() const { return (markov - Matrix::Identity(markov.rows(), markov.cols())) / epsilon; }

Matrix Map::forward() const {
  // q_i L_ji / q_j, with the ratio taken in logarithms.
  const Index m = markov.rows();
  const Matrix log_ratio = log_density.replicate(1, m).rowwise() - log_density.transpose();
  return backward().transpose().cwiseProduct(log_ratio.array().exp().matrix());
}

Vector Map::cutoff_bound(double cutoff) const {
  // A row loses at most the share `lost` of its sum, and every weight is off by at most the factor exp(density_error):
  // the kernel sums are at least 1, the point itself, and lose at most cutoff a point. Images that wrap around are
  // worth a factor of a few.
  constexpr double images = 8.0;
  const auto m = double(markov.rows());
  const double density_error = images * m * cutoff;
  const Vector log_sums = log_row_sums(log_kernel.rowwise() + log_weights.transpose());
  const double log_weight_sum = log_row_sums(log_weights.transpose())[0];
  const Vector log_largest = log_kernel.rowwise().maxCoeff();
  const Vector log_level = (log_largest.array() < std::log(cutoff)).select(log_largest, 0.0);
  const Vector lost = images * cutoff * (log_level.array() + log_weight_sum - log_sums.array()).exp();
  return 2.0 * (lost.array() + 2.0 * density_error);
}

Map diffusion_map(PointsView points, double epsilon, double alpha, const Period& period) {
  const Matrix log_k = log_isotropic_kernel(points, epsilon, period);
  const Vector log_q = log_row_sums(log_k);
  return markov_map(epsilon, log_k, -alpha * log_q, log_q);
}

Map target_measure_map(PointsView points, VectorView log_target, double epsilon, const Period& period) {
  const Matrix log_k = log_isotropic_kernel(points, epsilon, period);
  const Vector log_q = log_row_sums(log_k);
  return markov_map(epsilon, log_k, 0.5 * log_target - log_q, log_q);
}

Map local_kernel_map(PointsView points, PointsView drift, const Diffusion& diffusion, const LocalKernelParameters& p) {
  const Matrix log_k = log_local_kernel(points, drift, diffusion, p.epsilon, p.eta, p.period);
  const Vector log_q = log_row_sums(log_isotropic_kernel(points, p.density_epsilon, p.period));
  return markov_map(p.epsilon, log_k, -log_q, log_q);
}

Map biased_local_kernel_map(PointsView points, PointsView drift, const Diffusion& diffusion,
                            const LocalKernelParameters& p) {
  const Matrix log_k = log_local_kernel(points, drift, diffusion, p.epsilon, p.eta, p.period);
  const Vector zero = Vector::Zero(points.rows());
  return markov_map(p.epsilon, log_k, zero, zero);
}

Eigen::VectorXcd eigenvalues(const Matrix& matrix) { return exact::sorted(detail::general_values(matrix)); }

}  // namespace itomap::reference
