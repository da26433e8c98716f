#include "itomap/scales/kernel_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/context.hpp"
#include "core/parallel.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Differences of coordinates that are looked at at most: half a second or so.
constexpr double most_differences = 1.8e9;
constexpr double steps_per_octave = 4.0;

/// How often each squared distance occurs, in units of their own: the bins of points in millimetres are then those of
/// the same points in metres. A bin holds the numbers with the same exponent and the same leading bits of the mantissa:
/// 32 bins an octave, found without a logarithm.
class DistanceHistogram {
 public:
  explicit DistanceHistogram(double unit)
      : unit_(unit), per_unit_(1.0 / unit), count_(std::size_t(1) << (11 + mantissa_bits), 0) {}

  void add(double squared) { ++count_[std::bit_cast<std::uint64_t>(squared * per_unit_) >> (52 - mantissa_bits)]; }

  void add(const DistanceHistogram& other) {
    for (std::size_t bin = 0; bin < count_.size(); ++bin) {
      count_[bin] += other.count_[bin];
    }
  }

  /// Distance 0 apart: points that coincide.
  std::uint64_t coincident() const { return count_[0]; }

  /// Calls body(squared distance, count) for all bins that hold something, 0 left out.
  template <class Body>
  void for_bins(const Body& body) const {
    for (std::size_t bin = 1; bin < count_.size(); ++bin) {
      if (count_[bin] > 0) {
        const auto bits = (std::uint64_t(bin) << (52 - mantissa_bits)) | (std::uint64_t(1) << (51 - mantissa_bits));
        body(unit_ * std::bit_cast<double>(bits), double(count_[bin]));
      }
    }
  }

 private:
  static constexpr int mantissa_bits = 5;
  double unit_;
  double per_unit_;
  std::vector<std::uint64_t> count_;
};

/// Distances of some rows to all points.
struct PairCounts {
  DistanceHistogram histogram;
  double rows;
};

/// The squared diagonal of the box around the points; 1 if they coincide.
double squared_diagonal(PointsView points) {
  const double square = (points.colwise().maxCoeff() - points.colwise().minCoeff()).squaredNorm();
  return square > 0.0 ? square : 1.0;
}

/// Squared distances of row i to all points, nearest images only.
void squared_distances(const Matrix& columns, Index i, const std::vector<double>& period, Vector& squared) {
  squared.setZero();
  for (Index a = 0; a < columns.cols(); ++a) {
    const double p = period.empty() ? 0.0 : period[std::size_t(a)];
    if (p > 0.0) {
      squared.array() += (columns.col(a).array() - columns(i, a))
                             .unaryExpr([p](double delta) { return delta - p * std::round(delta / p); })
                             .square();
    } else {
      squared.array() += (columns.col(a).array() - columns(i, a)).square();
    }
  }
}

PairCounts count_pairs(PointsView points, const KernelOptions& options) {
  const Index m = points.rows();
  const double wanted = most_differences / (double(m) * double(points.cols()));
  const Index rows = std::clamp<Index>(Index(wanted), std::min<Index>(m, 500), m);
  const Matrix columns = points;
  const double unit = squared_diagonal(points);
  PairCounts counts{DistanceHistogram(unit), double(rows)};
  std::mutex mutex;
  parallel_chunks(rows, 64, [&](Index begin, Index end) {
    DistanceHistogram own(unit);
    Vector squared(m);
    for (Index k = begin; k < end; ++k) {
      squared_distances(columns, k * m / rows, options.period, squared);
      for (const double r : squared) {
        own.add(r);
      }
    }
    const std::scoped_lock lock(mutex);
    counts.histogram.add(own);  // whole numbers: the order does not matter
  });
  return counts;
}

PairCounts count_pairs(const Distances& distances) {
  const Index m = distances.rows();
  const double wanted = most_differences / (double(distances.known()) / double(m));
  const Index rows = std::clamp<Index>(Index(std::min(wanted, double(m))), std::min<Index>(m, 500), m);
  double largest = 0.0;
  for (Index k = 0; k < rows; ++k) {
    distances.for_row(k * m / rows, [&](Index, double d) { largest = std::max(largest, d); });
  }
  PairCounts counts{DistanceHistogram(largest > 0.0 ? largest * largest : 1.0), double(rows)};
  for (Index k = 0; k < rows; ++k) {
    const Index i = k * m / rows;
    distances.for_row(i, [&](Index j, double d) { counts.histogram.add(i == j ? 0.0 : d * d); });
  }
  return counts;
}

/// S and its logarithmic slope d log S / d log epsilon = sum k u / sum k, u = r^2 / 4 epsilon; and the neighbours a
/// row.
struct KernelSum {
  double sum = 0.0;
  double slope = 0.0;
  double neighbours = 0.0;
};

KernelSum kernel_sum(const PairCounts& pairs, double epsilon, double cutoff) {
  const auto at_zero = double(pairs.histogram.coincident());
  KernelSum s{at_zero, 0.0, at_zero};
  const double limit = -std::log(cutoff);
  pairs.histogram.for_bins([&](double squared, double count) {
    const double u = squared / (4.0 * epsilon);
    const double k = count * std::exp(-u);
    s.sum += k;
    s.slope += k * u;
    s.neighbours += u <= limit ? count : 0.0;
  });
  s.slope /= s.sum;
  s.neighbours /= pairs.rows;
  return s;
}

struct Extent {
  double nearest = 0.0;
  double farthest = 0.0;
};

Extent extent(const PairCounts& pairs) {
  Extent e;
  pairs.histogram.for_bins([&](double squared, double) {
    e.nearest = e.nearest == 0.0 ? squared : e.nearest;
    e.farthest = squared;
  });
  if (e.farthest == 0.0) {
    throw InvalidArgument("epsilon: all points coincide, so there is no scale to choose");
  }
  return e;
}

ScaleSelection steepest_growth(const PairCounts& pairs, double cutoff) {
  const Extent e = extent(pairs);
  ScaleSelection best;
  for (double epsilon = e.nearest / 4.0; epsilon <= e.farthest; epsilon *= std::exp2(1.0 / steps_per_octave)) {
    const double dimension = 2.0 * kernel_sum(pairs, epsilon, cutoff).slope;
    if (dimension > best.intrinsic_dimension) {
      best = {epsilon, dimension};
    }
  }
  return best;
}

ScaleCurve curve_of(const PairCounts& pairs, double points, const Vector& epsilons, double cutoff) {
  extent(pairs);
  const Index n = epsilons.size();
  ScaleCurve curve{epsilons, Vector(n), Vector(n), Vector(n)};
  for (Index k = 0; k < n; ++k) {
    const KernelSum s = kernel_sum(pairs, epsilons[k], cutoff);
    curve.log_sum[k] = std::log(s.sum * points / pairs.rows);
    curve.dimension[k] = 2.0 * s.slope;
    curve.neighbours[k] = s.neighbours;
  }
  return curve;
}

Vector range_of(const PairCounts& pairs, std::optional<double> low, std::optional<double> high, Index steps,
                double cutoff) {
  const Extent e = extent(pairs);
  double first = low.value_or(e.nearest / 4.0);
  const double last = high.value_or(e.farthest / 4.0);
  // Unless asked for: scales at which a point has hardly a neighbour within the cut-off tell nothing.
  constexpr double fewest_neighbours = 4.0;
  while (!low && first < last && kernel_sum(pairs, first, cutoff).neighbours < fewest_neighbours) {
    first *= 2.0;
  }
  if (!(first > 0.0 && last > first && steps >= 2)) {
    throw InvalidArgument(
        fmt::format("min, max, steps: {} scale(s) from {:.4g} to {:.4g} make no range; two or more with 0 < min < max "
                    "do, and points "
                    "that are not too few to tell them",
                    steps, first, last));
  }
  return Vector::LinSpaced(steps, std::log(first), std::log(last)).array().exp();
}

}  // namespace

ScaleSelection select_scale(PointsView points, const KernelOptions& options, const Execution& execution) {
  const ExecutionScope scope(execution);
  return steepest_growth(count_pairs(points, options), options.cutoff);
}

ScaleSelection select_scale(const Distances& distances, const KernelOptions& options, const Execution& execution) {
  const ExecutionScope scope(execution);
  return steepest_growth(count_pairs(distances), options.cutoff);
}

ScaleCurve scale_curve(PointsView points, const Vector& epsilons, const KernelOptions& options,
                       const Execution& execution) {
  const ExecutionScope scope(execution);
  return curve_of(count_pairs(points, options), double(points.rows()), epsilons, options.cutoff);
}

ScaleCurve scale_curve(const Distances& distances, const Vector& epsilons, const KernelOptions& options,
                       const Execution& execution) {
  const ExecutionScope scope(execution);
  return curve_of(count_pairs(distances), double(distances.rows()), epsilons, options.cutoff);
}

Vector scale_range(PointsView points, std::optional<double> low, std::optional<double> high, Index steps,
                   const KernelOptions& options, const Execution& execution) {
  const ExecutionScope scope(execution);
  return range_of(count_pairs(points, options), low, high, steps, options.cutoff);
}

Vector scale_range(const Distances& distances, std::optional<double> low, std::optional<double> high, Index steps,
                   const KernelOptions& options, const Execution& execution) {
  const ExecutionScope scope(execution);
  return range_of(count_pairs(distances), low, high, steps, options.cutoff);
}

}  // namespace itomap
