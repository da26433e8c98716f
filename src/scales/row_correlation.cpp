#include "scales/row_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace itomap::detail {
namespace {

/// Blocks so many times longer than tau miss a tenth of it, for correlations that decay exponentially.
constexpr double enough = 5.0;
/// The variance of so few block means is uncertain by (2 / n)^1/2, a half.
constexpr std::size_t fewest = 8;

/// Means over blocks of consecutive rows, run by run.
using Runs = std::vector<std::vector<double>>;

Runs runs_of(const Vector& f, const std::vector<Index>& run_ends) {
  Runs runs;
  Index begin = 0;
  for (const Index end : run_ends.empty() ? std::vector<Index>{f.size()} : run_ends) {
    runs.emplace_back(f.begin() + begin, f.begin() + end);
    begin = end;
  }
  return runs;
}

/// Means of neighbours; a row that is left over at the end of a run is dropped.
Runs halved(const Runs& runs) {
  Runs result;
  for (const auto& run : runs) {
    std::vector<double> means;
    for (std::size_t k = 0; k + 1 < run.size(); k += 2) {
      means.push_back(0.5 * (run[k] + run[k + 1]));
    }
    result.push_back(std::move(means));
  }
  return result;
}

struct Spread {
  std::size_t count = 0;
  double variance = 0.0;
};

/// About the mean of all rows, which is known better than that of a few blocks.
Spread spread_about(const Runs& runs, double mean) {
  Spread s;
  for (const auto& run : runs) {
    for (const double value : run) {
      s.variance += (value - mean) * (value - mean);
    }
    s.count += run.size();
  }
  s.variance /= std::max<double>(double(s.count), 1.0);
  return s;
}

RowCorrelation correlation_of(const Vector& f, const std::vector<Index>& run_ends) {
  Runs runs = runs_of(f, run_ends);
  const double mean = f.mean();
  const Spread single = spread_about(runs, mean);
  RowCorrelation result;
  if (!(single.variance > 0.0)) {
    return result;
  }
  for (double length = 1.0;; length *= 2.0) {
    const Spread s = spread_about(runs, mean);
    if (s.count < fewest) {
      result.resolved = false;
      return result;
    }
    // The mean is that of the same rows: blocks spread about it by a share less.
    const double degrees = 1.0 - 1.0 / double(s.count);
    result.rows = std::max(1.0, length * s.variance / (single.variance * degrees));
    if (length >= enough * result.rows) {
      return result;
    }
    runs = halved(runs);
  }
}

}  // namespace

RowCorrelation row_correlation(PointsView functions, const std::vector<Index>& run_ends) {
  RowCorrelation longest;
  for (Index n = 0; n < functions.cols(); ++n) {
    const RowCorrelation one = correlation_of(functions.col(n), run_ends);
    if (one.rows > longest.rows) {
      longest = one;
    }
  }
  return longest;
}

}  // namespace itomap::detail
