#include "support/reference_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"

namespace itomap::reference {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Images whose share of a kernel entry is below this do not change it in double precision.
const double negligible_exponent = -std::log(1e-20);

/// Every image of every pair is visited: more would take this reference minutes.
double most_images(Index points) { return 3e8 / (double(points) * double(points)); }

/// One entry of a kernel: exp(-u(delta)), u = delta^T M delta, for delta and for delta + n P with all integer vectors
/// n.
class Entry {
 public:
  void add(double u) { exponents_.push_back(u); }

  double smallest() const { return *std::min_element(exponents_.begin(), exponents_.end()); }
  /// log of the sum over images with u <= limit.
  double log_sum(double limit = infinite) const {
    const double least = smallest();
    double sum = 0.0;
    for (const double u : exponents_) {
      sum += u <= limit ? std::exp(least - u) : 0.0;
    }
    return std::log(sum) - least;
  }

 private:
  std::vector<double> exponents_;
};

class WrappedGaussian {
 public:
  WrappedGaussian(const Matrix& covariance, const Period& period)
      : precision_(detail::inverted(covariance)), width_(covariance.diagonal()), period_(period) {}
  /// The same covariance along all axes.
  WrappedGaussian(double covariance, Index dimension, const Period& period)
      : precision_(Matrix::Identity(dimension, dimension) / covariance),
        width_(Vector::Constant(dimension, covariance)),
        period_(period) {}

  Entry entry(Vector delta, double most_images) const {
    for (std::size_t a = 0; a < period_.size(); ++a) {
      if (period_[a] > 0.0) {
        delta[Index(a)] -= period_[a] * std::round(delta[Index(a)] / period_[a]);
      }
    }
    Entry entry;
    const double limit = exponent(delta) + negligible_exponent;
    refuse_many(limit, most_images);
    add_images(delta, 0, limit, entry);
    return entry;
  }

 private:
  double exponent(const Vector& delta) const {
    double u = 0.0;
    for (Index a = 0; a < delta.size(); ++a) {
      for (Index b = 0; b < delta.size(); ++b) {
        u += delta[a] * precision_(a, b) * delta[b];
      }
    }
    return u;
  }

  void refuse_many(double limit, double most_images) const {
    double images = 1.0;
    for (std::size_t a = 0; a < period_.size(); ++a) {
      images *= period_[a] > 0.0 ? 1.0 + 2.0 * std::sqrt(width_[Index(a)] * limit) / period_[a] : 1.0;
    }
    if (images > most_images) {
      throw TooManyImages("the kernel reaches around its periods too often to be summed image by image");
    }
  }

  /// Shifts along axes >= axis; no image with u <= limit is left out.
  void add_images(Vector& delta, std::size_t axis, double limit, Entry& entry) const {
    if (axis == period_.size()) {
      entry.add(exponent(delta));
      return;
    }
    if (period_[axis] <= 0.0) {
      add_images(delta, axis + 1, limit, entry);
      return;
    }
    const double start = delta[Index(axis)];
    const double reach = std::sqrt(width_[Index(axis)] * limit);
    for (double n = std::ceil((-reach - start) / period_[axis]); start + n * period_[axis] <= reach; ++n) {
      delta[Index(axis)] = start + n * period_[axis];
      add_images(delta, axis + 1, limit, entry);
    }
    delta[Index(axis)] = start;
  }

  Matrix precision_;
  Vector width_;
  const Period& period_;
};

/// Rows from a function that gives entries.
template <class EntryAt>
LogKernel kernel_of(Index m, double cutoff, const EntryAt& entry_at) {
  LogKernel kernel{Matrix(m, m), Matrix(m, m), Matrix(m, m)};
  std::vector<Entry> row(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      row[std::size_t(j)] = entry_at(i, j);
      kernel.values(i, j) = row[std::size_t(j)].log_sum();
      kernel.exponents(i, j) = row[std::size_t(j)].smallest();
    }
    const double largest = kernel.exponents.row(i).minCoeff();
    const double limit = -std::log(cutoff);
    for (Index j = 0; j < m; ++j) {
      kernel.cut(i, j) = row[std::size_t(j)].log_sum(largest > limit ? largest + limit : limit);
    }
  }
  return kernel;
}

double squared_distance(PointsView points, Index i, Index j, const Period& period) {
  double sum = 0.0;
  for (Index a = 0; a < points.cols(); ++a) {
    double delta = points(i, a) - points(j, a);
    if (!period.empty() && period[std::size_t(a)] > 0.0) {
      delta -= period[std::size_t(a)] * std::round(delta / period[std::size_t(a)]);
    }
    sum += delta * delta;
  }
  return sum;
}

}  // namespace

LogKernel local_kernel(PointsView points, PointsView drift, const Diffusion& diffusion, const Vector& epsilon,
                       double eta, const Period& period, double cutoff) {
  const Index n = points.cols();
  std::vector<WrappedGaussian> gaussians;
  for (Index i = 0; i < points.rows(); ++i) {
    const Matrix a = diffusion.at(i, n) + eta * Matrix::Identity(n, n);
    gaussians.emplace_back(4.0 * epsilon[i] * a, period);
  }
  return kernel_of(points.rows(), cutoff, [&](Index i, Index j) {
    return gaussians[std::size_t(i)].entry((points.row(i) - points.row(j) + epsilon[i] * drift.row(i)).transpose(),
                                           most_images(points.rows()));
  });
}

LogKernel variable_kernel(PointsView points, const Vector& rho, double epsilon, const Period& period, double cutoff) {
  return kernel_of(points.rows(), cutoff, [&](Index i, Index j) {
    const double rate = 0.5 * (1.0 / (rho[i] * rho[i]) + 1.0 / (rho[j] * rho[j]));
    return WrappedGaussian(4.0 * epsilon / rate, points.cols(), period)
        .entry((points.row(i) - points.row(j)).transpose(), most_images(points.rows()));
  });
}

Vector bandwidth(PointsView points, double strength, Index neighbours, const Period& period) {
  Vector log_rho(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    std::vector<double> squares;
    for (Index j = 0; j < points.rows(); ++j) {
      squares.push_back(squared_distance(points, i, j, period));
    }
    std::sort(squares.begin(), squares.end());
    double sum = 0.0;
    for (Index k = 0; k < neighbours; ++k) {
      sum += squares[std::size_t(k)];
    }
    log_rho[i] = 0.5 * strength * std::log(sum / double(neighbours));
  }
  return (log_rho.array() - log_rho.mean()).exp();
}

Matrix log_isotropic_kernel(PointsView points, double epsilon, const Period& period) {
  const Points no_drift = Points::Zero(points.rows(), points.cols());
  return log_local_kernel(points, no_drift, Diffusion::constant(1.0), epsilon, 0.0, period);
}

Matrix log_local_kernel(PointsView points, PointsView drift, const Diffusion& diffusion, double epsilon, double eta,
                        const Period& period) {
  return local_kernel(points, drift, diffusion, Vector::Constant(points.rows(), epsilon), eta, period).values;
}

Vector log_row_sums(const Matrix& log_kernel) {
  const Vector largest = log_kernel.rowwise().maxCoeff();
  return largest.array() + (log_kernel.colwise() - largest).array().exp().rowwise().sum().log();
}

}  // namespace itomap::reference
