// Averages and time scales of a density that was never sampled: TMDmap on points drawn uniformly.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  // The points are uniform on [-4, 4]; the density we care about is the standard normal one.
  const itomap::Points points = itomap::Points(itomap::Vector::LinSpaced(2000, -4.0, 4.0));
  const itomap::Vector log_target = -0.5 * points.col(0).cwiseAbs2();

  const auto map = itomap::target_measure_map(points, log_target, {.epsilon = 0.01});
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});

  const double variance = spectrum.stationary.dot(points.col(0).cwiseAbs2());
  std::printf("variance %.3f (exact 1)\n", variance);
  for (itomap::Index n = 1; n <= 3; ++n) {
    std::printf("t_%td = %.3f (exact %.3f)\n", n, spectrum.timescales(n), 1.0 / static_cast<double>(n));
  }

  return std::abs(variance - 1.0) < 0.05 && std::abs(spectrum.timescales(1) - 1.0) < 0.05 ? 0 : 1;
}
