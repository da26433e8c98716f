#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/belongs.hpp"
#include "analysis/committor_of.hpp"
#include "analysis/replication.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "itomap/analysis/committor.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Numbers of a passage that have one value, in this order before those at the points.
constexpr Index single_numbers = 5;
constexpr const char* names[single_numbers] = {"flux", "rate", "reverse rate", "source to sink", "sink to source"};

/// Where the points of a set are among the rows of a part, which ascend.
std::vector<Index> set_among(const std::vector<Index>& set, const std::vector<Index>& rows) {
  std::vector<Index> places;
  for (const Index i : set) {
    const auto found = std::lower_bound(rows.begin(), rows.end(), i);
    if (found != rows.end() && *found == i) {
      places.push_back(found - rows.begin());
    }
  }
  return places;
}

Eigenfunctions rows_of(const Eigenfunctions& f, const std::vector<Index>& rows) {
  Eigenfunctions some{.re = f.re(rows, Eigen::all)};
  if (!f.is_real()) {
    some.im = f.im(rows, Eigen::all);
  }
  return some;
}

/// The modes of the whole, which are near to those of its parts and of wider scales, with the weights of the part.
Spectrum spectrum_near(const Spectrum& whole, const Replicate& r) {
  Spectrum s;
  s.eigenvalues = whole.eigenvalues;
  s.eigenfunctions = rows_of(whole.eigenfunctions, r.rows);
  s.left_eigenfunctions = rows_of(whole.left_eigenfunctions, r.rows);
  s.stationary = r.stationary.cwiseMax(0.0);
  s.stationary /= s.stationary.sum();
  return s;
}

class PassageMeasure {
 public:
  PassageMeasure(const Spectrum& spectrum, const std::vector<Index>& source, const std::vector<Index>& sink,
                 const CommittorOptions& options)
      : spectrum_(spectrum), source_(source), sink_(sink), options_(options) {
    constexpr double tolerance_of_replicates = 1e-6;
    options_.tolerance = std::max(options_.tolerance, tolerance_of_replicates);
  }

  /// The single numbers by their logarithms, then the functions at all points of the whole.
  Vector operator()(const Replicate& r) const {
    const Index points = spectrum_.stationary.size();
    Vector values = Vector::Constant(single_numbers + functions() * points, not_a_number);
    const auto source = set_among(source_, r.rows);
    const auto sink = set_among(sink_, r.rows);
    if (source.empty() || sink.empty()) {
      return values;
    }
    const CommittorResult c = committor_of(r.map, spectrum_near(spectrum_, r), source, sink, options_);
    values.head(single_numbers) << std::log(c.total_flux), std::log(c.rate), std::log(c.reverse_rate),
        std::log(c.source_to_sink), std::log(c.sink_to_source);
    const auto put = [&](Index k, const Vector& f) {
      values.segment(single_numbers + k * points, points) = on_all_points(f, r.rows, points);
    };
    put(0, c.forward);
    if (options_.passage_times) {
      put(1, c.time_to_sink);
      put(2, c.time_to_source);
    } else {
      values.segment(3, 2).setConstant(not_a_number);
    }
    return values;
  }

  Index functions() const { return options_.passage_times ? 3 : 1; }

 private:
  const Spectrum& spectrum_;
  const std::vector<Index>& source_;
  const std::vector<Index>& sink_;
  CommittorOptions options_;
};

/// Large steps: of a logarithm 1, of a committor 1, of a time its mean over the points that can arrive.
Vector sizes(const Vector& values, Index points) {
  Vector size = Vector::Ones(values.size());
  for (Index begin = single_numbers + points; begin < values.size(); begin += points) {
    double sum = 0.0;
    double count = 0.0;
    for (Index i = begin; i < begin + points; ++i) {
      sum += std::isfinite(values[i]) ? values[i] : 0.0;
      count += std::isfinite(values[i]) ? 1.0 : 0.0;
    }
    size.segment(begin, points).setConstant(count > 0.0 ? sum / count : 1.0);
  }
  return size;
}

PassageEstimate from_logarithm(const LimitValues& limits, const Vector& logarithm, Index n) {
  const double extrapolated = std::exp(limits.limit[n]);
  return {limits.noise[n] * std::exp(logarithm[n]), extrapolated, extrapolated * limits.error[n]};
}

PassageFunction at_points(const LimitValues& limits, Index function, Index points, double least, double most) {
  const Index begin = single_numbers + function * points;
  return {limits.limit.segment(begin, points).cwiseMax(least).cwiseMin(most), limits.error.segment(begin, points)};
}

/// (sum a)^2 / sum a^2 of what the points of a set add to the mean time from it; all of them where nothing is known.
double points_that_count(const Vector& stationary, const Vector& time, const std::vector<Index>& set) {
  double sum = 0.0;
  double squares = 0.0;
  for (const Index i : set) {
    const double share = stationary[i] * time[i];
    if (std::isfinite(share)) {
      sum += share;
      squares += share * share;
    }
  }
  return squares > 0.0 ? sum * sum / squares : double(set.size());
}

/// Of all the maps, the fewest. `begin` is where the times are among the values.
double fewest_that_count(const Vector& stationary, const ReplicatedValues& values, Index begin,
                         const std::vector<Index>& set) {
  const Index points = stationary.size();
  double fewest = infinite;
  for (std::size_t k = 0; k < scale_count; ++k) {
    fewest = std::min(fewest, points_that_count(stationary, values.all[k].segment(begin, points), set));
    for (const Vector& part : values.without[k]) {
      fewest = std::min(fewest, points_that_count(stationary, part.segment(begin, points), set));
    }
  }
  return fewest;
}

/// An outlier that hardly sees anybody holds the process for e^(distance^2 / 4 epsilon): a mean over such points is
/// neither known nor is the jackknife right about it. In the set itself weights alone make `possible` points count.
void check_for_outliers(double count, double possible, const char* name, PassageEstimate& estimate,
                        CommittorErrorBars& bars) {
  constexpr double enough = 50.0;
  if (count < std::min(enough, 0.5 * possible)) {
    estimate.error = infinite;
    bars.warnings.push_back(fmt::format(
        "{}: {:.1f} points make the mean time of a set in which {:.1f} have weight: outliers hold the process, so that "
        "no limit can be told; drop them, or raise epsilon",
        name, count, possible));
  }
}

void warn(const LimitValues& limits, CommittorErrorBars& bars) {
  for (Index n = 0; n < single_numbers; ++n) {
    if (limits.no_limit[std::size_t(n)]) {
      bars.warnings.push_back(fmt::format(
          "{}: the extrapolation does not converge, so that no limit can be told; take a smaller epsilon", names[n]));
    }
  }
  if (std::isnan(limits.error[1])) {
    bars.warnings.emplace_back(
        "source and sink: too few blocks leave points of both that are connected, so that there are no error bars; "
        "take larger sets or fewer blocks");
  }
}

}  // namespace

CommittorErrorBars committor_error_bars(const Map& map, const Spectrum& spectrum, const std::vector<Index>& source,
                                        const std::vector<Index>& sink, const ErrorBarOptions& bar_options,
                                        const CommittorOptions& options) {
  const Generator& generator = generator_of(map);
  const ExecutionScope scope(map.execution());
  options.validate();
  check_belongs(map, spectrum);
  ErrorBarOptions replication = bar_options;
  if (!options.sharp_edges && !replication.power) {
    replication.power = 0.5;  // edges that recede
  }
  Replicator replicator(generator, spectrum, replication);
  const PassageMeasure measure(spectrum, source, sink, options);
  const auto values = replicator.measured({.graph = true}, measure);
  const Index points = map.size();
  const LimitValues limits = limits_of(values, replicator.extrapolation(), sizes(values.all[0], points));

  CommittorErrorBars bars;
  static_cast<Replication&>(bars) = replicator.replication();
  PassageEstimate* numbers[single_numbers] = {&bars.total_flux, &bars.rate, &bars.reverse_rate, &bars.source_to_sink,
                                              &bars.sink_to_source};
  for (Index n = 0; n < single_numbers; ++n) {
    *numbers[n] = from_logarithm(limits, values.all[0], n);
  }
  bars.forward = at_points(limits, 0, points, 0.0, 1.0);
  if (options.passage_times) {
    bars.time_to_sink = at_points(limits, 1, points, 0.0, infinite);
    bars.time_to_source = at_points(limits, 2, points, 0.0, infinite);
    const auto check = [&](Index function, const std::vector<Index>& set, Index name, PassageEstimate& estimate) {
      const double count = fewest_that_count(spectrum.stationary, values, single_numbers + function * points, set);
      check_for_outliers(count, points_that_count(spectrum.stationary, Vector::Ones(points), set), names[name],
                         estimate, bars);
    };
    check(1, source, 3, bars.source_to_sink);
    check(2, sink, 4, bars.sink_to_source);
  }
  warn(limits, bars);
  return bars;
}

std::string CommittorErrorBars::report() const {
  auto text = fmt::format("{:<18}{:>12}{:>14}{:>12}\n", "", "noise", "extrapolated", "error");
  const PassageEstimate* numbers[single_numbers] = {&total_flux, &rate, &reverse_rate, &source_to_sink,
                                                    &sink_to_source};
  for (Index n = 0; n < single_numbers; ++n) {
    text += fmt::format("  {:<16}{:>12.2g}{:>14.6g}{:>12.2g}\n", names[n], numbers[n]->noise, numbers[n]->extrapolated,
                        numbers[n]->error);
  }
  return text + "\n" + Replication::report();
}

}  // namespace itomap
