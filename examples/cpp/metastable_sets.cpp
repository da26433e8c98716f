// The two wells of a double well as sets, how fast each is left, and an average with its error bar.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>

int main() {
  // Evenly spread points in an order that means nothing, and the density exp(-4 U) with U = (x^2 - 1)^2.
  itomap::Points points(2000, 1);
  for (itomap::Index i = 0; i < points.rows(); ++i) {
    points(i, 0) = 4.0 * std::fmod(0.6180339887 * double(i), 1.0) - 2.0;
  }
  const itomap::Vector energy = (points.col(0).array().square() - 1.0).square();
  const auto map = itomap::target_measure_map(points, -4.0 * energy, {.epsilon = 0.002});
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});

  const auto sets = itomap::cluster(map, spectrum, 2);
  for (itomap::Index k = 0; k < 2; ++k) {
    std::printf("set %td: weight %.3f, escape rate %.4f\n", k, sets.rates.weights[k], sets.rates.escape_rates[k]);
  }

  const auto average = itomap::expectation(map, spectrum, energy);
  std::printf("mean energy %.4f +- %.4f\n", average.extrapolated[0], average.extrapolated_error[0]);

  itomap::Index left = 0;
  itomap::Index right = 0;
  points.col(0).minCoeff(&left);
  points.col(0).maxCoeff(&right);
  const bool apart = sets.labels[std::size_t(left)] != sets.labels[std::size_t(right)];
  return apart && std::abs(sets.rates.weights[0] - 0.5) < 0.01 ? 0 : 1;
}
