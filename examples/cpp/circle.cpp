// Points on a circle, three times denser on one side: alpha = 1 sees the geometry alone, and every eigenvalue twice.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

namespace {

// Angles with density (1 + 0.5 cos t) / 2 pi, by inverting its distribution function with a few Newton steps.
itomap::Points uneven_circle(itomap::Index m) {
  const double two_pi = 8.0 * std::atan(1.0);
  itomap::Points points(m, 2);
  for (itomap::Index i = 0; i < m; ++i) {
    const double share = two_pi * (static_cast<double>(i) + 0.5) / static_cast<double>(m);
    double angle = share;
    for (int k = 0; k < 50; ++k) {
      angle -= (angle + 0.5 * std::sin(angle) - share) / (1.0 + 0.5 * std::cos(angle));
    }
    points.row(i) << std::cos(angle), std::sin(angle);
  }
  return points;
}

}  // namespace

int main() {
  const itomap::Points points = uneven_circle(2000);

  const auto map = itomap::diffusion_map(points, {.epsilon = 0.005, .alpha = 1.0});
  const auto spectrum = itomap::eigenpairs(map, {.count = 4});
  for (itomap::Index n = 0; n <= 4; ++n) {
    std::printf("lambda_%td = %7.4f\n", n, spectrum.eigenvalues(n).real());
  }

  // Laplace-Beltrami on the unit circle: 0, -1, -1, -4, -4.
  return std::abs(spectrum.eigenvalues(2).real() + 1.0) < 0.05 ? 0 : 1;
}
