#include "kernel/whitening.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/median.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

/// How many different A are kept: one if all are the same.
Index distinct(const Diffusion& diffusion, Index points) { return diffusion.is_constant() ? 1 : points; }

Matrix regularised(const Diffusion& diffusion, Index i, Index dimension, double eta) {
  return diffusion.at(i, dimension) + eta * Matrix::Identity(dimension, dimension);
}

/// Widths are squared, and divided by: both have to be numbers.
void check_squares(const Matrix& covariance, Index point) {
  constexpr double largest = 1e300;
  const double width = covariance.diagonal().maxCoeff();
  if (!(width < largest && covariance.diagonal().minCoeff() > 1.0 / largest)) {
    throw InvalidArgument(fmt::format(
        "epsilon: a step from point {} is {:.2g} wide, beyond what numbers can tell; check the units of epsilon, "
        "diffusion and eta",
        point, std::sqrt(width)));
  }
}

}  // namespace

Whitening Whitening::isotropic(Index dimension, double epsilon) {
  return local(Diffusion::constant(1.0), 1, dimension, epsilon, 0.0);
}

Whitening Whitening::local(const Diffusion& diffusion, Index points, Index dimension, double epsilon, double eta) {
  using DiffusionKind = Diffusion::Kind;
  const Index rows = distinct(diffusion, points);
  Whitening w;
  w.dimension_ = dimension;
  w.half_widths_.resize(rows, dimension);
  w.radius_.resize(rows);
  const auto kind = diffusion.kind();
  if (kind == DiffusionKind::Constant || kind == DiffusionKind::Scalars) {
    w.kind_ = Kind::Scalar;
    w.factors_.resize(rows, 1);
  } else if (kind == DiffusionKind::Diagonals) {
    w.kind_ = Kind::Diagonal;
    w.factors_.resize(rows, dimension);
  } else {
    w.kind_ = Kind::Triangular;
    w.factors_.resize(rows, dimension * (dimension + 1) / 2);
  }
  for (Index i = 0; i < rows; ++i) {
    const Matrix covariance = 4.0 * epsilon * regularised(diffusion, i, dimension, eta);
    check_squares(covariance, i);
    const Vector diagonal = covariance.diagonal();
    w.half_widths_.row(i) = diagonal.cwiseSqrt();
    w.radius_[i] = std::sqrt(diagonal.maxCoeff());
    if (w.kind_ != Kind::Triangular) {
      w.factors_.row(i) = diagonal.cwiseInverse().head(w.factors_.cols());
      continue;
    }
    w.radius_[i] = std::sqrt(symmetric_values(covariance).maxCoeff());
    const Matrix inverse = covariance.llt().matrixL().solve(Matrix::Identity(dimension, dimension));
    for (Index r = 0, k = 0; r < dimension; ++r) {
      for (Index c = 0; c <= r; ++c) {
        w.factors_(i, k++) = inverse(r, c);
      }
    }
  }
  return w;
}

Whitening Whitening::reordered(const std::vector<std::int32_t>& order) const {
  if (factors_.rows() == 1) {
    return *this;
  }
  Whitening w = *this;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index to = Index(k);
    w.factors_.row(to) = factors_.row(order[k]);
    w.half_widths_.row(to) = half_widths_.row(order[k]);
    w.radius_[to] = radius_[order[k]];
  }
  return w;
}

void Whitening::squared_distances(Index i, const double* centre, PointColumns x, Index begin, Index end,
                                  double* u) const {
  switch (kind_) {
    case Kind::Scalar:
      return scalar_distances(i, centre, x, begin, end, u);
    case Kind::Diagonal:
      return diagonal_distances(i, centre, x, begin, end, u);
    case Kind::Triangular:
      return triangular_distances(i, centre, x, begin, end, u);
  }
}

void Whitening::scalar_distances(Index i, const double* c, PointColumns x, Index begin, Index end, double* u) const {
  const Index n = end - begin;
  const double* first = x.axis(0) + begin;
  for (Index j = 0; j < n; ++j) {
    const double delta = c[0] - first[j];
    u[j] = delta * delta;
  }
  for (Index a = 1; a < dimension_; ++a) {
    const double* xa = x.axis(a) + begin;
    const double ca = c[a];
    for (Index j = 0; j < n; ++j) {
      const double delta = ca - xa[j];
      u[j] += delta * delta;
    }
  }
  const double factor = factors_(row(i), 0);
  for (Index j = 0; j < n; ++j) {
    u[j] *= factor;
  }
}

void Whitening::diagonal_distances(Index i, const double* c, PointColumns x, Index begin, Index end, double* u) const {
  const Index n = end - begin;
  std::fill(u, u + n, 0.0);
  for (Index a = 0; a < dimension_; ++a) {
    const double* xa = x.axis(a) + begin;
    const double ca = c[a];
    const double factor = factors_(row(i), a);
    for (Index j = 0; j < n; ++j) {
      const double delta = ca - xa[j];
      u[j] += factor * (delta * delta);
    }
  }
}

void Whitening::triangular_distances(Index i, const double* c, PointColumns x, Index begin, Index end,
                                     double* u) const {
  constexpr Index tile = 256;
  double z[tile];
  for (Index first = begin; first < end; first += tile) {
    const Index n = std::min(tile, end - first);
    double* out = u + (first - begin);
    std::fill(out, out + n, 0.0);
    const double* w = factors_.row(row(i)).data();
    for (Index r = 0; r < dimension_; ++r) {
      std::fill(z, z + n, 0.0);
      for (Index a = 0; a <= r; ++a, ++w) {
        const double* xa = x.axis(a) + first;
        for (Index j = 0; j < n; ++j) {
          z[j] += *w * (c[a] - xa[j]);
        }
      }
      for (Index j = 0; j < n; ++j) {
        out[j] += z[j] * z[j];
      }
    }
  }
}

Points Whitening::whitened(const Points& x) const {
  if (along_axes()) {
    return x * half_widths_.row(0).cwiseInverse().asDiagonal();
  }
  Matrix w = Matrix::Zero(dimension_, dimension_);
  for (Index r = 0, k = 0; r < dimension_; ++r) {
    for (Index c = 0; c <= r; ++c) {
      w(r, c) = factors_(0, k++);
    }
  }
  return x * w.transpose();
}

double Whitening::typical_radius() const { return median({radius_.begin(), radius_.end()}); }

std::size_t Whitening::memory() const {
  return std::size_t(factors_.size() + half_widths_.size() + radius_.size()) * sizeof(double);
}

double median_spread(const Diffusion& diffusion, Index points, Index dimension, double eta) {
  std::vector<double> spread;
  for (Index i = 0; i < distinct(diffusion, points); ++i) {
    const Matrix factor = regularised(diffusion, i, dimension, eta).llt().matrixL();
    spread.push_back(std::exp(2.0 * factor.diagonal().array().log().mean()));
  }
  return median(std::move(spread));
}

}  // namespace itomap::detail
