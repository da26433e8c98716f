#include "analysis/passage_mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace itomap::detail {
namespace {

struct Start {
  double time;
  double weight;
};

std::vector<Start> arriving_starts(const std::vector<Index>& set, const Vector& weights, const Vector& times) {
  std::vector<Start> starts;
  for (const Index i : set) {
    if (std::isfinite(times[i])) {
      starts.push_back({times[i], weights[i]});
    }
  }
  std::sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.time < b.time; });
  return starts;
}

/// Sums over starts, which ascend by time.
struct Sum {
  Index points = 0;
  double weight = 0.0;
  double weighted_time = 0.0;

  void add(const Start& start) {
    ++points;
    weight += start.weight;
    weighted_time += start.weight * start.time;
  }
};

double median_time(const std::vector<Start>& starts, double whole_weight) {
  double below = 0.0;
  for (const Start& start : starts) {
    below += start.weight;
    if (2.0 * below >= whole_weight) {
      return start.time;
    }
  }
  return starts.back().time;
}

/// A few points that hardly ever leave may outweigh all others in a mean.
void warn_of_stragglers(Direction direction, const std::vector<Start>& starts, const Sum& all, double inverse_rate,
                        PassageMean& mean) {
  constexpr double long_time = 10.0;  // in medians
  const double limit = long_time * median_time(starts, all.weight);
  Sum late;
  for (const Start& start : starts) {
    if (start.time > limit) {
      late.add(start);
    }
  }
  if (2.0 * late.weighted_time > all.weighted_time) {
    mean.warnings.push_back(fmt::format(
        "{0} to {1}: {2} of {3} points of the {0}, with {4:.2g} % of its weight, take more than ten times as long as "
        "half of it and make {5:.0f} % of the mean of {6:.4g}; 1 / rate is {7:.4g}. Points that are hardly connected: "
        "leave them out of the {0}, or raise epsilon",
        direction.from, direction.to, late.points, all.points, 100.0 * late.weight / all.weight,
        100.0 * late.weighted_time / all.weighted_time, mean.time, inverse_rate));
  }
}

}  // namespace

PassageMean mean_passage(Direction direction, const std::vector<Index>& set, const Vector& weights, const Vector& times,
                         double inverse_rate) {
  const std::vector<Start> starts = arriving_starts(set, weights, times);
  PassageMean mean{.time = std::numeric_limits<double>::infinity(), .stuck = Index(set.size() - starts.size())};
  if (mean.stuck > 0) {
    mean.warnings.push_back(fmt::format(
        "{0}: from {2} of {3} points the {1} cannot be reached: it is in another component of the kernel graph{4}",
        direction.from, direction.to, mean.stuck, set.size(),
        starts.empty() ? "" : "; the mean first passage time is that of the others"));
  }
  if (starts.empty()) {
    return mean;
  }
  Sum all;
  for (const Start& start : starts) {
    all.add(start);
  }
  if (all.weight > 0.0) {
    mean.time = all.weighted_time / all.weight;
    warn_of_stragglers(direction, starts, all, inverse_rate, mean);
  } else {
    mean.time = std::numeric_limits<double>::quiet_NaN();
    mean.warnings.push_back(fmt::format(
        "{}: its stationary weight is lost in rounding, so that it has no mean first passage time", direction.from));
  }
  return mean;
}

}  // namespace itomap::detail
