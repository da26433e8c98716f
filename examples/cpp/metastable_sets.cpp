// The two wells of a double well as sets, how fast each is left, and an average with its error bar.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  // Evenly spread points, and the density exp(-4 U) with U = (x^2 - 1)^2.
  const itomap::Points points = itomap::Points(itomap::Vector::LinSpaced(2000, -2.0, 2.0));
  const itomap::Vector energy = (points.col(0).array().square() - 1.0).square();
  const auto map = itomap::target_measure_map(points, -4.0 * energy, {.epsilon = 0.002});
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});

  const auto sets = itomap::cluster(map, spectrum, 2);
  for (itomap::Index k = 0; k < 2; ++k) {
    std::printf("set %td: weight %.3f, escape rate %.4f\n", k, sets.rates.weights[k], sets.rates.escape_rates[k]);
  }

  const auto average = itomap::expectation(spectrum.stationary, energy);
  std::printf("mean energy %.4f +- %.4f\n", average.mean[0], average.standard_error[0]);

  const bool apart = sets.labels.front() != sets.labels.back() && sets.labels[0] == sets.labels[900];
  return apart && std::abs(sets.rates.weights[0] - 0.5) < 0.01 ? 0 : 1;
}
