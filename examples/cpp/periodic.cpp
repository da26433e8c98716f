// An angle in degrees: equispaced on the circle, where Laplace's eigenvalues are -(k 2 pi / 360)^2, each twice.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  // From -180 to 540: two turns, so that every point of the circle is there twice.
  const itomap::Points angles = itomap::Points(itomap::Vector::LinSpaced(721, -180.0, 540.0).head(720));

  const auto map = itomap::diffusion_map(angles, {.epsilon = 25.0, .alpha = 1.0, .kernel = {.period = {360.0}}});
  const auto spectrum = itomap::eigenpairs(map, {.count = 2});

  const double exact = -std::pow(8.0 * std::atan(1.0) / 360.0, 2);
  for (itomap::Index n = 1; n <= 2; ++n) {
    std::printf("lambda_%td = %.4e (exact %.4e)\n", n, spectrum.eigenvalues(n).real(), exact);
  }
  return std::abs(spectrum.eigenvalues(2).real() / exact - 1.0) < 0.02 ? 0 : 1;
}
