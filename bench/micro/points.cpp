#include "points.hpp"

#include <cmath>
#include <random>

namespace bench {

itomap::Points normal_points(itomap::Index m, itomap::Index dimension) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  return itomap::Points::NullaryExpr(m, dimension, [&] { return normal(generator); });
}

// Neighbours ~ m q(0) V_N r^N with q(0) = (2 pi)^(-N/2), V_N = pi^(N/2) / Gamma(N/2 + 1), r^2 = -4 epsilon
// log(cut-off).
double epsilon_for(itomap::Index m, itomap::Index dimension, double neighbours) {
  const auto n = static_cast<double>(dimension);
  const double share = neighbours / static_cast<double>(m) * std::pow(2.0, n / 2) * std::tgamma(n / 2 + 1);
  const double radius = std::pow(share, 1.0 / n);
  return radius * radius / (-4.0 * std::log(itomap::KernelOptions{}.cutoff));
}

}  // namespace bench
