#include "support/systems.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include "core/dense_algebra.hpp"

namespace itomap::exact {
namespace {

using Complex = std::complex<double>;

bool slower(const Complex& a, const Complex& b) {
  const double rounding = 1e-9 * (1.0 + std::abs(a) + std::abs(b));
  return std::abs(a.real() - b.real()) > rounding ? a.real() > b.real() : a.imag() > b.imag();
}

/// Calls visit(n) for all vectors n of non-negative integers with sum at most `degree`.
void for_each_multi_index(std::vector<int>& n, std::size_t axis, int degree,
                          const std::function<void(const std::vector<int>&)>& visit) {
  if (axis == n.size()) {
    visit(n);
    return;
  }
  for (n[axis] = 0; n[axis] <= degree; ++n[axis]) {
    for_each_multi_index(n, axis + 1, degree - n[axis], visit);
  }
}

/// An eigenvalue of the process beside what a time step of length epsilon makes of it.
struct Mode {
  Complex exact;
  Complex stepped;
};

/// Modes of order n: exact sum n_i rate_i, stepped (prod mu_i^n_i - 1) / epsilon; the first `count` by `exact`.
std::vector<Mode> modes(const Eigen::VectorXcd& rates, const Eigen::VectorXcd& mu, double epsilon, Index count) {
  std::vector<Mode> all;
  std::vector<int> order(std::size_t(rates.size()));
  for_each_multi_index(order, 0, int(count), [&](const std::vector<int>& n) {
    Complex sum = 0.0;
    Complex product = 1.0;
    for (std::size_t i = 0; i < n.size(); ++i) {
      sum += double(n[i]) * rates[Index(i)];
      product *= std::pow(mu[Index(i)], n[i]);
    }
    all.push_back({sum, (product - 1.0) / epsilon});
  });
  std::stable_sort(all.begin(), all.end(), [](const Mode& a, const Mode& b) { return slower(a.exact, b.exact); });
  all.resize(std::size_t(count));
  return all;
}

Eigen::VectorXcd stepped(const std::vector<Mode>& all) {
  Eigen::VectorXcd values(Index(all.size()));
  std::transform(all.begin(), all.end(), values.begin(), [](const Mode& mode) { return mode.stepped; });
  return values;
}

Vector descending(std::vector<double> values, Index count) {
  std::sort(values.begin(), values.end(), std::greater<>());
  return Eigen::Map<Vector>(values.data(), count);
}

}  // namespace

Eigen::VectorXcd sorted(Eigen::VectorXcd values) {
  std::stable_sort(values.begin(), values.end(), slower);
  return values;
}

Points LinearProcess::drift(PointsView points) const { return -points * B.transpose(); }

Eigen::VectorXcd LinearProcess::spectrum(Index count) const {
  const Eigen::VectorXcd rates = -detail::general_values(B);
  Eigen::VectorXcd values(count);
  const auto all = modes(rates, Eigen::VectorXcd::Ones(rates.size()), 1.0, count);
  std::transform(all.begin(), all.end(), values.begin(), [](const Mode& mode) { return mode.exact; });
  return values;
}

Eigen::VectorXcd LinearProcess::euler_spectrum(double epsilon, Index count) const {
  const Eigen::VectorXcd rates = -detail::general_values(B);
  return stepped(modes(rates, 1.0 + epsilon * rates.array(), epsilon, count));
}

Eigen::VectorXcd LinearProcess::implicit_spectrum(double epsilon, Index count) const {
  const Eigen::VectorXcd rates = -detail::general_values(B);
  return stepped(modes(rates, (1.0 - epsilon * rates.array()).inverse(), epsilon, count));
}

Matrix LinearProcess::covariance() const {
  // (I x B + B x I) vec(S) = 2 vec(A)
  const Index n = dimension();
  Matrix system = Matrix::Zero(n * n, n * n);
  for (Index i = 0; i < n; ++i) {
    system.block(i * n, i * n, n, n) += B;
    for (Index j = 0; j < n; ++j) {
      system.block(i * n, j * n, n, n) += B(i, j) * Matrix::Identity(n, n);
    }
  }
  const Vector vec = detail::solved(system, Matrix(2.0 * A.reshaped()));
  return vec.reshaped(n, n);
}

Vector LinearProcess::log_invariant(PointsView points) const {
  const Matrix s = covariance();
  const Vector squares = (points * detail::inverted(s)).cwiseProduct(points).rowwise().sum();
  return -0.5 * (squares.array() + (2.0 * std::numbers::pi * detail::symmetric_values(s)).array().log().sum());
}

LinearProcess ornstein_uhlenbeck(Index dimension) {
  return {Matrix::Identity(dimension, dimension), Matrix::Identity(dimension, dimension)};
}

LinearProcess rotating_process() {
  LinearProcess process{Matrix(2, 2), Matrix(2, 2)};
  process.B << 1.0, 2.0, -2.0, 1.0;
  process.A << 1.0, 0.4, 0.4, 0.6;
  return process;
}

Vector circle_spectrum(Index count) {
  Vector values(count);
  for (Index i = 0; i < count; ++i) {
    const auto n = double((i + 1) / 2);
    values[i] = -n * n;
  }
  return values;
}

Vector sphere_spectrum(Index count) {
  std::vector<double> values;
  for (int l = 0; Index(values.size()) < count; ++l) {
    values.insert(values.end(), std::size_t(2 * l + 1), -double(l * (l + 1)));
  }
  return descending(values, count);
}

Vector torus_spectrum(Index count) {
  // The square |j|, |k| <= count holds the circle of radius count, and that more than count values.
  const int reach = int(count);
  std::vector<double> values;
  for (int j = -reach; j <= reach; ++j) {
    for (int k = -reach; k <= reach; ++k) {
      values.push_back(-double(j * j + k * k));
    }
  }
  return descending(values, count);
}

}  // namespace itomap::exact
