#include "points.hpp"

#include <cmath>
#include <random>

namespace bench {

itomap::Points uniform_points(itomap::Index m, itomap::Index dimension) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return itomap::Points::NullaryExpr(m, dimension, [&] { return uniform(generator); });
}

itomap::Points noisy_circle(itomap::Index m, itomap::Index dimension) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> angle(0.0, 8.0 * std::atan(1.0));
  std::normal_distribution<double> noise(0.0, 0.05);
  itomap::Points points = itomap::Points::NullaryExpr(m, dimension, [&] { return noise(generator); });
  for (itomap::Index i = 0; i < m; ++i) {
    const double t = angle(generator);
    points(i, 0) += std::cos(t);
    points(i, 1) += std::sin(t);
  }
  return points;
}

itomap::Points double_well(itomap::Index m) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-2.5, 2.5);
  std::uniform_real_distribution<double> threshold(0.0, 1.0);
  itomap::Points points(m, 2);
  for (itomap::Index i = 0; i < m;) {
    const double x = uniform(generator);
    const double y = uniform(generator);
    if (threshold(generator) < std::exp(-std::pow(x * x - 1.0, 2) - y * y)) {
      points.row(i++) << x, y;
    }
  }
  return points;
}

// A ball of radius r holds m V_N (r/2)^N points, V_N = pi^(N/2) / Gamma(N/2 + 1); and r^2 = -4 epsilon log(cut-off).
double epsilon_for(itomap::Index m, itomap::Index dimension, double neighbours) {
  const auto n = static_cast<double>(dimension);
  const double ball = std::pow(4.0 * std::atan(1.0), n / 2) / std::tgamma(n / 2 + 1);
  const double radius = 2.0 * std::pow(neighbours / static_cast<double>(m) / ball, 1.0 / n);
  return radius * radius / (-4.0 * std::log(itomap::KernelOptions{}.cutoff));
}

}  // namespace bench
