#include "support/samples.hpp"

#include <cmath>
#include <numbers>

#include "support/double_well.hpp"

namespace itomap::samples {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;
/// The density varies by (1 + skew) / (1 - skew), about six, over a closed manifold.
constexpr double skew = 0.7;

Eigen::RowVectorXd normal_row(Index n, Random& random) {
  Eigen::RowVectorXd x(n);
  for (double& value : x) {
    value = random.normal();
  }
  return x;
}

Eigen::RowVectorXd uniform_in_ball(Index n, double radius, Random& random) {
  const Eigen::RowVectorXd direction = normal_row(n, random).normalized();
  return radius * std::pow(random.uniform(), 1.0 / double(n)) * direction;
}

}  // namespace

std::uint64_t Random::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Random::uniform() { return double(bits() >> 11) * 0x1.0p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(two_pi * uniform());
}

Points normal(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Points points(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    points.row(i) = normal_row(cols, random);
  }
  return points;
}

Points skewed_ball(Index m, Index dimension, double radius, std::uint64_t seed) {
  Random random(seed);
  Points points(m, dimension);
  for (Index i = 0; i < m;) {
    Eigen::RowVectorXd x = uniform_in_ball(dimension, radius, random);
    if (random.uniform() < 0.5) {
      x = normal_row(dimension, random);
      x[0] = 0.8 * x[0] + 0.7;
    }
    if (x.norm() < radius) {
      points.row(i++) = x;
    }
  }
  return points;
}

Vector skewed_angles(Index m, std::uint64_t seed) {
  Random random(seed);
  Vector angles(m);
  for (Index i = 0; i < m;) {
    const double t = random.uniform(0.0, two_pi);
    if ((1.0 + skew) * random.uniform() < 1.0 + skew * std::cos(t)) {
      angles[i++] = t;
    }
  }
  return angles;
}

Points on_circle(VectorView angles) {
  Points points(angles.size(), 2);
  points << angles.array().cos(), angles.array().sin();
  return points;
}

Points on_flat_torus(PointsView angles) {
  Points points(angles.rows(), 4);
  points << on_circle(angles.col(0)), on_circle(angles.col(1));
  return points;
}

Points skewed_torus(Index m, std::uint64_t seed) {
  const Vector both = skewed_angles(2 * m, seed);
  Points points(m, 2);
  points << both.head(m), both.tail(m);
  return points;
}

Points skewed_sphere(Index m, std::uint64_t seed) {
  Random random(seed);
  Points points(m, 3);
  for (Index i = 0; i < m;) {
    const Eigen::RowVectorXd x = normal_row(3, random).normalized();
    if ((1.0 + skew) * random.uniform() < 1.0 + skew * x[2]) {
      points.row(i++) = x;
    }
  }
  return points;
}

Points hot_double_well(Index m, double energy, std::uint64_t seed) {
  constexpr double sampling_beta = 0.3;
  Random random(seed);
  const double x_max = std::sqrt(1.0 + std::sqrt(energy));
  Points points(m, 2);
  for (Index i = 0; i < m;) {
    points.row(i) << random.uniform(-x_max, x_max), random.uniform(-std::sqrt(energy), std::sqrt(energy));
    const double u = exact::DoubleWell::potential(points.row(i))[0];
    const double tilt = 1.0 + 0.4 * std::tanh(points(i, 0));
    if (u < energy && 1.4 * random.uniform() < tilt * std::exp(-sampling_beta * u)) {
      ++i;
    }
  }
  return points;
}

double angle_at_quantile(double quantile, double a, double shift) {
  // Newton for t + a (sin(t - shift) + sin(shift)) = 2 pi quantile; the left side grows with t.
  double t = two_pi * quantile;
  for (int step = 0; step < 60; ++step) {
    t -= (t + a * (std::sin(t - shift) + std::sin(shift)) - two_pi * quantile) / (1.0 + a * std::cos(t - shift));
  }
  return t;
}

Vector quantile_angles(Index n, double a, double shift) {
  Vector angles(n);
  for (Index k = 0; k < n; ++k) {
    angles[k] = angle_at_quantile(double(k) / double(n), a, shift);
  }
  return angles;
}

Points lattice(VectorView first, VectorView second) {
  Points points(first.size() * second.size(), 2);
  for (Index i = 0; i < first.size(); ++i) {
    for (Index j = 0; j < second.size(); ++j) {
      points.row(i * second.size() + j) << first[i], second[j];
    }
  }
  return points;
}

}  // namespace itomap::samples
