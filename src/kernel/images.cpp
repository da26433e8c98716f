#include "kernel/images.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/numbers.hpp"
#include "core/vector_exp.hpp"

namespace itomap::detail {
namespace {

/// exp(-40) is below rounding beside 1.
constexpr double negligible = 40.0;

constexpr Index tile = 256;

/// Where the Fourier series is the shorter of the two sums.
bool wide(double q, double period) { return q * period * period < pi; }

double series_factor(double d, double q, double period) {
  double sum = 1.0;
  for (double k = 1.0;; ++k) {
    const double decay = std::pow(pi * k / period, 2) / q;
    if (decay > negligible) {
      return sum * std::sqrt(pi / q) / period * std::exp(q * d * d);
    }
    sum += 2.0 * std::exp(-decay) * std::cos(2.0 * pi * k * d / period);
  }
}

/// The images on both sides until they are negligible for all of the tile.
void multiply_tile(const double* d, const double* q, double period, Index count, double* values) {
  const double widest = *std::min_element(q, q + count);
  const double farthest = Eigen::Map<const Vector>(d, count).cwiseAbs().maxCoeff();
  double factor[tile];
  double image[tile];
  std::fill(factor, factor + count, 1.0);
  for (double shift = period; widest * shift * (shift - 2.0 * farthest) <= negligible; shift += period) {
    for (const double side : {-1.0, 1.0}) {
      for (Index j = 0; j < count; ++j) {
        image[j] = q[j] * shift * (shift + 2.0 * side * d[j]);
      }
      exp_of_negative(image, count);
      for (Index j = 0; j < count; ++j) {
        factor[j] += image[j];
      }
    }
  }
  for (Index j = 0; j < count; ++j) {
    values[j] *= factor[j];
  }
}

}  // namespace

void multiply_images(const double* d, const double* q, double period, Index count, double* values) {
  for (Index j = 0; j < count;) {
    if (wide(q[j], period)) {
      values[j] *= series_factor(d[j], q[j], period);
      ++j;
      continue;
    }
    Index end = j + 1;
    while (end < std::min(count, j + tile) && !wide(q[end], period)) {
      ++end;
    }
    multiply_tile(d + j, q + j, period, end - j, values + j);
    j = end;
  }
}

}  // namespace itomap::detail
