#include "itomap/analysis/average.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/belongs.hpp"
#include "analysis/replication.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
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

/// In units of the largest value: squares neither overflow nor vanish, whatever the observable is measured in.
void add_observable(const Vector& w, const Vector& f, Averages& averages, Index k) {
  const double largest = f.cwiseAbs().maxCoeff();
  const double unit = largest > 0.0 ? largest : 1.0;
  const Vector scaled = f / unit;
  const double mean = w.dot(scaled);
  const Vector deviation = scaled.array() - mean;
  averages.mean[k] = unit * mean;
  averages.standard_deviation[k] = unit * std::sqrt(w.dot(deviation.cwiseAbs2()));
}

void warn_if_few(Averages& averages) {
  constexpr double enough = 50.0;
  if (averages.effective_points >= enough) {
    return;
  }
  averages.warnings.push_back(fmt::format(
      "the effective number of points is {:.1f} of {}: few carry nearly all weight, and error bars themselves are "
      "uncertain; sample more where the invariant density is large",
      averages.effective_points, averages.points));
}

/// In units of the standard deviation, about the mean: no digits are lost, whatever an observable is measured in.
void add_error_bars(const Generator& g, const Spectrum& spectrum, Points f, const ErrorBarOptions& options,
                    Averages& averages) {
  const Index count = f.cols();
  Vector unit(count);
  for (Index k = 0; k < count; ++k) {
    unit[k] = averages.standard_deviation[k] > 0.0 ? averages.standard_deviation[k] : 1.0;
    f.col(k) = (f.col(k).array() - averages.mean[k]) / unit[k];
  }
  Replicator replicator(g, spectrum, options);
  const auto values = replicator.measured({}, [&](const Replicate& r) -> Vector {
    const Points some = f(r.rows, Eigen::all);
    return some.transpose() * r.stationary;
  });
  const LimitValues limits = limits_of(values, replicator.extrapolation(), Vector::Ones(count));
  averages.noise = limits.noise.cwiseProduct(unit);
  averages.extrapolated = averages.mean + limits.limit.cwiseProduct(unit);
  averages.extrapolated_error = limits.error.cwiseProduct(unit);
  averages.replication = replicator.replication();
  averages.warnings.insert(averages.warnings.end(), averages.replication->warnings.begin(),
                           averages.replication->warnings.end());
  for (Index k = 0; k < count; ++k) {
    if (limits.no_limit[std::size_t(k)]) {
      averages.warnings.push_back(fmt::format(
          "observable {}: the extrapolation does not converge, so that no limit can be told; take a smaller epsilon",
          k));
    }
  }
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
  averages.mean.resize(observables.cols());
  averages.standard_deviation.resize(observables.cols());
  for (Index k = 0; k < observables.cols(); ++k) {
    add_observable(w, observables(rows, k), averages, k);
  }
  warn_if_few(averages);
  return averages;
}

Averages expectation(const Map& map, const Spectrum& spectrum, PointsView observables, const ErrorBarOptions& options) {
  const Generator& generator = generator_of(map);
  const ExecutionScope scope(map.execution());
  check_belongs(map, spectrum);
  Averages averages = expectation(on_all_points(spectrum.stationary, map.kept(), map.input_points()), observables);
  add_error_bars(generator, spectrum, observables(map.kept(), Eigen::all), options, averages);
  return averages;
}

}  // namespace itomap
