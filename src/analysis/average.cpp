#include "itomap/analysis/average.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

/// Rows that count: those of points in the map.
std::vector<Index> rows_with_weight(VectorView stationary) {
  std::vector<Index> rows;
  for (Index i = 0; i < stationary.size(); ++i) {
    if (std::isnan(stationary[i])) {
      continue;
    }
    if (!(stationary[i] >= 0.0) || std::isinf(stationary[i])) {
      throw InvalidArgument(
          fmt::format("stationary: {:g} in row {} (counted from 0) is no weight; weights are >= 0", stationary[i], i));
    }
    rows.push_back(i);
  }
  return rows;
}

void check_observables(PointsView observables, const std::vector<Index>& rows) {
  for (const Index i : rows) {
    for (Index k = 0; k < observables.cols(); ++k) {
      if (!std::isfinite(observables(i, k))) {
        throw InvalidArgument(fmt::format("observable: {} in row {}, column {} (counted from 0); mend that row",
                                          observables(i, k), i, k));
      }
    }
  }
}

void check_size(VectorView stationary, PointsView observables) {
  if (observables.rows() != stationary.size() || observables.cols() < 1) {
    throw InvalidArgument(fmt::format("observable: {} x {} for {} points; give one row for each", observables.rows(),
                                      observables.cols(), stationary.size()));
  }
}

/// The weight of the point that carries most is used up by rounding alone: n - 1 is 0 for it.
double small_sample_factor(double n) {
  return n > 1.0 + 1e-12 ? n / (n - 1.0) : std::numeric_limits<double>::infinity();
}

/// In units of the largest value: squares neither overflow nor vanish, whatever the observable is measured in.
void add_observable(const Vector& w, const Vector& f, Averages& averages, Index k) {
  const double largest = f.cwiseAbs().maxCoeff();
  const double unit = largest > 0.0 ? largest : 1.0;
  const Vector scaled = f / unit;
  const double mean = w.dot(scaled);
  const Vector deviation = scaled.array() - mean;
  averages.mean[k] = unit * mean;
  const double factor = small_sample_factor(averages.effective_points);
  averages.standard_error[k] = unit * std::sqrt(factor) * w.cwiseProduct(deviation).norm();
  averages.standard_deviation[k] = unit * std::sqrt(w.dot(deviation.cwiseAbs2()));
}

void warn_if_few(Averages& averages) {
  constexpr double enough = 50.0;  // (2 n)^-1/2 is then 10 %
  if (averages.effective_points >= enough) {
    return;
  }
  averages.warnings.push_back(fmt::format(
      "the effective number of points is {:.1f} of {}: few carry nearly all weight, and the standard errors themselves "
      "are uncertain; sample more where the invariant density is large",
      averages.effective_points, averages.points));
}

}  // namespace

Averages expectation(VectorView stationary, PointsView observables) {
  check_size(stationary, observables);
  const std::vector<Index> rows = rows_with_weight(stationary);
  check_observables(observables, rows);
  Vector w = stationary(rows);
  if (!(w.sum() > 0.0)) {
    throw InvalidArgument("stationary: no point has weight; compute the map again");
  }
  w /= w.sum();

  Averages averages;
  averages.points = Index(rows.size());
  averages.effective_points = 1.0 / w.squaredNorm();
  for (Vector* values : {&averages.mean, &averages.standard_error, &averages.standard_deviation}) {
    values->resize(observables.cols());
  }
  for (Index k = 0; k < observables.cols(); ++k) {
    add_observable(w, observables(rows, k), averages, k);
  }
  warn_if_few(averages);
  return averages;
}

}  // namespace itomap
