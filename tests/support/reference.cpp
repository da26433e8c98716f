#include "support/reference.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense_algebra.hpp"
#include "support/systems.hpp"

namespace itomap::reference {
namespace {

/// Images whose share of a kernel entry is below this do not change it in double precision.
const double negligible_exponent = -std::log(1e-20);

/// exp(-u(delta)), u = delta^T M delta, summed over delta + n P for all integer vectors n.
class WrappedGaussian {
 public:
  WrappedGaussian(const Matrix& covariance, const Period& period)
      : precision_(inverted(covariance)), width_(covariance.diagonal()), period_(period) {}

  double log_value(Vector delta) const {
    for (std::size_t a = 0; a < period_.size(); ++a) {
      if (period_[a] > 0.0) {
        delta[Index(a)] -= period_[a] * std::round(delta[Index(a)] / period_[a]);
      }
    }
    const double nearest = exponent(delta);
    return -nearest + std::log(sum_over_images(delta, 0, nearest));
  }

 private:
  double exponent(const Vector& delta) const { return delta.dot(precision_ * delta); }

  /// sum exp(nearest - u) over shifts along axes >= axis; no image with u <= nearest + negligible is left out.
  double sum_over_images(Vector delta, std::size_t axis, double nearest) const {
    if (axis == period_.size()) {
      return std::exp(nearest - exponent(delta));
    }
    if (period_[axis] <= 0.0) {
      return sum_over_images(delta, axis + 1, nearest);
    }
    const double start = delta[Index(axis)];
    const double reach = std::sqrt(width_[Index(axis)] * (nearest + negligible_exponent));
    double sum = 0.0;
    for (double n = std::ceil((-reach - start) / period_[axis]); start + n * period_[axis] <= reach; ++n) {
      delta[Index(axis)] = start + n * period_[axis];
      sum += sum_over_images(delta, axis + 1, nearest);
    }
    return sum;
  }

  Matrix precision_;
  Vector width_;
  const Period& period_;
};

Map markov_map(double epsilon, const Matrix& log_kernel, const Vector& log_weights, const Vector& log_density) {
  const Matrix weighted = log_kernel.rowwise() + log_weights.transpose();
  const Vector log_sums = log_row_sums(weighted);
  return {epsilon, log_kernel, log_weights, log_density, (weighted.colwise() - log_sums).array().exp()};
}

}  // namespace

Matrix log_isotropic_kernel(PointsView points, double epsilon, const Period& period) {
  const Points no_drift = Points::Zero(points.rows(), points.cols());
  return log_local_kernel(points, no_drift, Diffusion::constant(1.0), epsilon, 0.0, period);
}

Matrix log_local_kernel(PointsView points, PointsView drift, const Diffusion& diffusion, double epsilon, double eta,
                        const Period& period) {
  const Index m = points.rows();
  const Index n = points.cols();
  Matrix log_k(m, m);
  for (Index i = 0; i < m; ++i) {
    const Matrix a = diffusion.at(i, n) + eta * Matrix::Identity(n, n);
    const WrappedGaussian gaussian(4.0 * epsilon * a, period);
    for (Index j = 0; j < m; ++j) {
      log_k(i, j) = gaussian.log_value((points.row(i) - points.row(j) + epsilon * drift.row(i)).transpose());
    }
  }
  return log_k;
}

Vector log_row_sums(const Matrix& log_kernel) {
  const Vector largest = log_kernel.rowwise().maxCoeff();
  return largest.array() + (log_kernel.colwise() - largest).array().exp().rowwise().sum().log();
}

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

Eigen::VectorXcd eigenvalues(const Matrix& matrix) { return exact::sorted(general_values(matrix)); }

}  // namespace itomap::reference
