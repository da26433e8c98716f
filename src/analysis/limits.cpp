#include "analysis/limits.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

using Weights = std::array<double, scale_count>;

/// A combination of the values at the three scales, for many points, and the variance of its noise.
struct Combined {
  double value;
  double variance;
};

/// One of the numbers, as all maps have it.
class Entry {
 public:
  explicit Entry(const ReplicatedValues& values) : values_(values), blocks_(double(values.without[0].size())) {}

  /// Whether so much is known of the n-th number that it has a limit.
  bool take(Index n) {
    for (std::size_t k = 0; k < scale_count; ++k) {
      all_[k] = values_.all[k][n];
    }
    without_.clear();
    for (std::size_t b = 0; b < values_.without[0].size(); ++b) {
      Weights one{};
      for (std::size_t k = 0; k < scale_count; ++k) {
        one[k] = values_.without[k][b][n];
      }
      if (all_finite(one)) {
        without_.push_back(one);
      }
    }
    return without_.size() >= 2 && all_finite(all_);
  }

  Combined combined(const Weights& weights) const {
    const double count = double(without_.size());
    const double value = sum(weights, all_);
    double mean = 0.0;
    for (const Weights& one : without_) {
      mean += sum(weights, one) / count;
    }
    double squares = 0.0;
    for (const Weights& one : without_) {
      const double deviation = sum(weights, one) - mean;
      squares += deviation * deviation;
    }
    return {value - (blocks_ - 1.0) * (mean - value), (blocks_ - 1.0) / count * squares};
  }

 private:
  static bool all_finite(const Weights& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  }

  static double sum(const Weights& weights, const Weights& values) {
    double result = 0.0;
    for (std::size_t k = 0; k < scale_count; ++k) {
      result += weights[k] * values[k];
    }
    return result;
  }

  const ReplicatedValues& values_;
  double blocks_;
  Weights all_{};
  std::vector<Weights> without_;
};

Weights difference(const Weights& a, const Weights& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double without_noise(const Combined& step) { return std::max(step.value * step.value - step.variance, 0.0); }

/// The square of what the limit may still be off.
double squared_doubt(double first_square, double last_square, double ratio) {
  constexpr double least = 1.0 / 256.0;
  const double geometric = first_square > 0.0 ? ratio * ratio * last_square * last_square / first_square : infinite;
  return std::min(last_square, geometric) + least * first_square;
}

void set_limit(const Entry& entry, const Extrapolation& extrapolation, double size, Index n, LimitValues& result) {
  constexpr Weights finest{1.0, 0.0, 0.0};
  constexpr double large = 0.05;
  constexpr double significant = 9.0;  // three standard deviations
  const Combined limit = entry.combined(extrapolation.limit);
  const Combined last_step = entry.combined(difference(extrapolation.limit, extrapolation.first));
  const double first_square = without_noise(entry.combined(difference(extrapolation.first, finest)));
  const double last_square = without_noise(last_step);
  const bool grows = last_square > first_square && last_square > significant * last_step.variance &&
                     last_square > std::pow(large * size, 2);
  const double doubt =
      grows ? first_square + last_square : squared_doubt(first_square, last_square, extrapolation.ratio);
  result.noise[n] = std::sqrt(entry.combined(finest).variance);
  result.first[n] = entry.combined(extrapolation.first).value;
  result.limit[n] = limit.value;
  result.error[n] = std::sqrt(limit.variance + doubt);
  result.no_limit[std::size_t(n)] = grows ? 1 : 0;
}

}  // namespace

Extrapolation Extrapolation::in_powers_of(double p, double next) {
  const double r = std::exp2(p);
  const double s = std::exp2(next);
  const Weights first{r / (r - 1.0), -1.0 / (r - 1.0), 0.0};
  const Weights wider{0.0, first[0], first[1]};
  Weights limit{};
  for (std::size_t k = 0; k < scale_count; ++k) {
    limit[k] = (s * first[k] - wider[k]) / (s - 1.0);
  }
  return {first, limit, r};
}

LimitValues limits_of(const ReplicatedValues& values, const Extrapolation& extrapolation, const Vector& size) {
  const Index count = values.all[0].size();
  const Vector unknown = Vector::Constant(count, not_a_number);
  LimitValues result{unknown, unknown, unknown, unknown, std::vector<char>(std::size_t(count), 0)};
  constexpr Index chunk = 4096;
  parallel_chunks(count, chunk, [&](Index begin, Index end) {
    Entry entry(values);
    for (Index n = begin; n < end; ++n) {
      if (entry.take(n)) {
        set_limit(entry, extrapolation, size[n], n, result);
      }
    }
  });
  return result;
}

}  // namespace itomap::detail
