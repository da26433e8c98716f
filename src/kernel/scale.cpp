#include "itomap/kernel/scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
namespace {

constexpr Index sample_size = 3000;
constexpr double steps_per_octave = 4.0;

Points evenly_spread(PointsView points) {
  const Index n = std::min(points.rows(), sample_size);
  Points sample(n, points.cols());
  for (Index k = 0; k < n; ++k) {
    sample.row(k) = points.row(k * points.rows() / n);
  }
  return sample;
}

/// Distance to the nearest image.
double squared_distance(PointsView x, Index i, Index j, const std::vector<double>& period) {
  double sum = 0.0;
  for (Index a = 0; a < x.cols(); ++a) {
    double delta = x(i, a) - x(j, a);
    if (!period.empty() && period[a] > 0.0) {
      delta -= period[a] * std::round(delta / period[a]);
    }
    sum += delta * delta;
  }
  return sum;
}

/// How often each squared distance occurs between two different points, by its logarithm in fine bins.
struct DistanceHistogram {
  static constexpr double bins_per_octave = 16.0;
  static constexpr int lowest = -1060;  // octaves: anything a double can hold
  std::vector<double> count = std::vector<double>(std::size_t(2 * -lowest * int(bins_per_octave)), 0.0);
  std::size_t first = count.size();
  std::size_t last = 0;

  void add(double squared) {
    if (squared > 0.0) {
      const auto bin = std::size_t((std::log2(squared) - lowest) * bins_per_octave);
      count[bin] += 1.0;
      first = std::min(first, bin);
      last = std::max(last, bin);
    }
  }
  static double squared(std::size_t bin) { return std::exp2((double(bin) + 0.5) / bins_per_octave + lowest); }
};

DistanceHistogram histogram(PointsView sample, const std::vector<double>& period) {
  DistanceHistogram h;
  for (Index i = 0; i < sample.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      h.add(squared_distance(sample, i, j, period));
    }
  }
  return h;
}

/// d log S / d log epsilon = sum k u / sum k with u = r^2 / 4 epsilon, over pairs of different points and the points
/// themselves (u = 0, k = 1).
double log_slope(const DistanceHistogram& h, double epsilon, double points) {
  double sum = 0.5 * points;
  double derivative = 0.0;
  for (std::size_t bin = h.first; bin <= h.last; ++bin) {
    if (h.count[bin] > 0.0) {
      const double u = DistanceHistogram::squared(bin) / (4.0 * epsilon);
      const double k = h.count[bin] * std::exp(-u);
      sum += k;
      derivative += k * u;
    }
  }
  return derivative / sum;
}

}  // namespace

ScaleSelection select_scale(PointsView points, const KernelOptions& options) {
  const Points sample = evenly_spread(points);
  const DistanceHistogram h = histogram(sample, options.period);
  if (h.first > h.last) {
    throw InvalidArgument("epsilon: all points coincide, so there is no scale to choose");
  }
  ScaleSelection best;
  const double low = DistanceHistogram::squared(h.first) / 4.0;
  const double high = DistanceHistogram::squared(h.last);
  for (double epsilon = low; epsilon <= high; epsilon *= std::exp2(1.0 / steps_per_octave)) {
    const double dimension = 2.0 * log_slope(h, epsilon, double(sample.rows()));
    if (dimension > best.intrinsic_dimension) {
      best = {epsilon, dimension};
    }
  }
  return best;
}

}  // namespace itomap
