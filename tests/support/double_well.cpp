#include "support/double_well.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/dense_algebra.hpp"

namespace itomap::exact {

double well(double x) { return (x * x - 1.0) * (x * x - 1.0); }

namespace {

double well_slope(double x) { return 4.0 * x * (x * x - 1.0); }
double well_curvature(double x) { return 12.0 * x * x - 4.0; }

/// Eigenvalues of f'' - beta U' f' in one dimension: those of -(-u'' + V u), V = (beta U')^2 / 4 - beta U'' / 2.
Vector well_spectrum(double beta) {
  constexpr Index nodes = 241;
  constexpr double reach = 3.2;  // exp(-beta U) is below 1e-37 there for beta >= 1
  const double h = 2.0 * reach / double(nodes - 1);
  Matrix hamiltonian(nodes, nodes);
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = 0; j < nodes; ++j) {
      const auto distance = double(i - j);
      const double sign = (i - j) % 2 == 0 ? 1.0 : -1.0;
      hamiltonian(i, j) = i == j ? std::numbers::pi * std::numbers::pi / 3.0 : 2.0 * sign / (distance * distance);
    }
  }
  hamiltonian /= h * h;
  for (Index i = 0; i < nodes; ++i) {
    const double x = -reach + h * double(i);
    hamiltonian(i, i) += std::pow(beta * well_slope(x), 2) / 4.0 - beta * well_curvature(x) / 2.0;
  }
  return -detail::symmetric_values(hamiltonian);
}

constexpr double slow_mode_reach = 4.0;
constexpr Index slow_mode_cells = 4000;
constexpr double spacing = slow_mode_reach / double(slow_mode_cells);

/// int_0^1 of the integrand by Gauss-Legendre with five points.
double cell_integral(const std::function<double(double)>& integrand) {
  constexpr double node[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double sum = weight[0] * integrand(0.5);
  for (int k = 1; k < 3; ++k) {
    sum += weight[k] * (integrand(0.5 * (1.0 - node[k])) + integrand(0.5 * (1.0 + node[k])));
  }
  return 0.5 * sum;
}

double interpolate(const Vector& psi, Index cell, double t) { return (1.0 - t) * psi[cell] + t * psi[cell + 1]; }

/// int_s^infinity exp(-beta (U(t) - U(s))) psi(t) dt at all nodes s, from the right to the left.
Vector flux(double beta, const Vector& psi) {
  Vector result = Vector::Zero(psi.size());
  for (Index k = slow_mode_cells - 1; k >= 0; --k) {
    const double s = spacing * double(k);
    const double inside = spacing * cell_integral([&](double t) {
                            return std::exp(-beta * (well(s + t * spacing) - well(s))) * interpolate(psi, k, t);
                          });
    result[k] = inside + std::exp(-beta * (well(s + spacing) - well(s))) * result[k + 1];
  }
  return result;
}

/// int_0^x by the trapezoidal rule; the cells are fine enough for six digits.
Vector antiderivative(const Vector& values) {
  Vector result = Vector::Zero(values.size());
  for (Index k = 1; k < values.size(); ++k) {
    result[k] = result[k - 1] + 0.5 * spacing * (values[k - 1] + values[k]);
  }
  return result;
}

/// Mean square under exp(-beta U), over the half line.
double mean_square(double beta, const Vector& psi) {
  double square = 0.0;
  double mass = 0.0;
  for (Index k = 0; k < psi.size(); ++k) {
    const double pi = std::exp(-beta * well(spacing * double(k))) * (k == 0 ? 0.5 : 1.0);
    square += pi * psi[k] * psi[k];
    mass += pi;
  }
  return square / mass;
}

}  // namespace

Vector DoubleWell::potential(PointsView points) {
  Vector u(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    u[i] = well(points(i, 0)) + points(i, 1) * points(i, 1);
  }
  return u;
}

Points DoubleWell::drift(PointsView points) const {
  Points b(points.rows(), 2);
  for (Index i = 0; i < points.rows(); ++i) {
    b.row(i) << -beta_ * well_slope(points(i, 0)), -beta_ * 2.0 * points(i, 1);
  }
  return b;
}

Vector DoubleWell::spectrum(Index count) const {
  const Vector along_x = well_spectrum(beta_);
  std::vector<double> sums;
  for (Index i = 0; i < count; ++i) {
    for (Index n = 0; n < count; ++n) {
      sums.push_back(along_x[i] - 2.0 * beta_ * double(n));
    }
  }
  std::sort(sums.begin(), sums.end(), std::greater<>());
  return Eigen::Map<Vector>(sums.data(), count);
}

SlowMode::SlowMode(double beta) {
  psi_ = Vector::LinSpaced(slow_mode_cells + 1, 0.0, 1.0);
  for (int step = 0; step < 40; ++step) {
    const Vector next = antiderivative(flux(beta, psi_));
    eigenvalue_ = -std::sqrt(mean_square(beta, psi_) / mean_square(beta, next));
    psi_ = next / std::sqrt(mean_square(beta, next));
  }
}

double SlowMode::operator()(double x) const {
  const double position = std::min(std::abs(x) / spacing, double(slow_mode_cells) - 1e-9);
  const auto cell = Index(position);
  return std::copysign(interpolate(psi_, cell, position - double(cell)), x);
}

}  // namespace itomap::exact
