#include "itomap/scales/scale_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/agreement.hpp"
#include "core/context.hpp"
#include "core/crew.hpp"
#include "core/numbers.hpp"
#include "core/reporter.hpp"
#include "generator/local_map.hpp"
#include "generator/maps.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/shares.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "kernel/distance_kernel.hpp"
#include "scales/choice.hpp"
#include "scales/replicates.hpp"
#include "scales/row_correlation.hpp"
#include "scales/scale_errors.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Where the descent begins at most, in units of the scale of steepest growth: that is often far too small for the
/// tails.
constexpr double widest = 64.0;

/// The largest part: its two scales, each with a jackknife that costs as much as a map, then take half a map of all.
constexpr Index least_parts = 8;

/// Every so many-th row, so that a trajectory keeps its order.
std::vector<Index> thinned(Index points, Index most) {
  const Index count = std::min(points, most);
  std::vector<Index> rows(std::size_t(count), 0);
  for (Index k = 0; k < count; ++k) {
    rows[std::size_t(k)] = k * points / count;
  }
  return rows;
}

/// How many rows of a map count as one, by its coordinates; angles by their sines and cosines. Distances have none.
double correlated_rows(const MapDefinition& map) {
  const PointsView points = map.points.view();
  Points functions(points.rows(), 2 * points.cols());
  for (Index a = 0; a < points.cols(); ++a) {
    const double period = map.kernel.period.empty() ? 0.0 : map.kernel.period[std::size_t(a)];
    const auto angle = points.col(a).array() * (period > 0.0 ? 2.0 * std::numbers::pi / period : 1.0);
    functions.col(2 * a) = period > 0.0 ? Vector(angle.cos()) : Vector(angle);
    functions.col(2 * a + 1) = period > 0.0 ? Vector(angle.sin()) : Vector(Vector::Zero(points.rows()));
  }
  return points.cols() > 0 ? row_correlation(functions).rows : 1.0;
}

bool in_range(double epsilon, const ScaleScanOptions& options) {
  constexpr double rounding = 1.0 + 1e-9;
  return epsilon * rounding >= options.low.value_or(0.0) && epsilon <= rounding * options.high.value_or(infinite);
}

struct ScalePair {
  double epsilon;
  Scale density;
};

/// The rows of one scan, from wide to narrow, and what their errors are estimated from.
class Scan {
 public:
  Scan(const MapDefinition& whole, const ScaleScanOptions& options, double dimension)
      : whole_(whole),
        options_(options),
        shares_(options.ranks),
        dimension_(dimension),
        part_(part_of(options.most_points)) {
    correlated_rows_ = is_whole() ? 1.0 : correlated_rows(whole_);
    take();
  }

  Index part() const { return part_; }
  bool is_whole() const { return part_ == whole_.size(); }
  bool may_grow() const { return least_parts * part_of(4 * part_) <= whole_.size(); }
  const std::vector<ScaleScanRow>& rows() const { return rows_; }

  /// The next scale; `ahead` are those that are likely to follow.
  void add(const ScalePair& next, const std::vector<ScalePair>& ahead) {
    if (attempts_.empty() || !attempts_.front()) {
      std::vector<ScalePair> window{next};
      const auto more = std::min(std::size_t(shares_.processes()) - 1, ahead.size());
      window.insert(window.end(), ahead.begin(), ahead.begin() + std::ptrdiff_t(more));
      attempts_ = attempts(window);
    }
    rows_.emplace_back();
    tried_.emplace_back();
    take_attempt(rows_.size() - 1, *attempts_.front());
    attempts_.pop_front();
  }

  /// The two narrowest scales again, on a larger part of the points.
  void repeat_with_more() {
    noise_before_ = noise_of_whole_;
    part_ = part_of(4 * part_);
    take();
    const std::size_t first = rows_.size() - 2;
    const std::vector<ScalePair> both{{rows_[first].epsilon, whole_.density_epsilon},
                                      {rows_[first + 1].epsilon, whole_.density_epsilon}};
    auto again = attempts(both);
    again[1] = again[1] ? again[1] : attempts({both[1]})[0];
    take_attempt(first, *again[0]);
    take_attempt(first + 1, *again[1]);
    attempts_.clear();  // those were on the part before
  }

  /// Instead of the narrowest scale, for which the part has no points left, those that all points may bear, by the laws
  /// of the errors: from one scale to the next the bias of the width halves, that of few points grows by 2^(d/2), and
  /// the noise goes on as it did, at most as it does at a single point.
  void continue_by_law() {
    rows_.pop_back();
    tried_.pop_back();
    const double d = std::max(dimension_, 1.0);
    const double growth = noise_growth(std::exp2(0.5 + 0.25 * d));
    // All points see as many neighbours there as those of the part do at the last scale that it could bear.
    const double narrowest = rows_.back().epsilon * std::pow(double(part_) / double(whole_.size()), 2.0 / d);
    ScaleScanRow row = rows_.back();
    row.timescales.resize(0);
    row.neighbours *= double(whole_.size()) / double(row.points);
    row.points = 0;
    while (0.5 * row.epsilon >= narrowest && in_range(0.5 * row.epsilon, options_)) {
      row.epsilon *= 0.5;
      row.density_epsilon *= whole_.density_epsilon.is_value() ? 1.0 : 0.5;
      row.neighbours *= std::exp2(-0.5 * d);
      row.bias *= 0.5;
      row.few_points *= std::exp2(0.5 * d);
      row.noise *= growth;
      rows_.push_back(row);
    }
  }

 private:
  /// Of the noise, over the last two scales; at least 1.
  double noise_growth(double most) const {
    const std::size_t last = rows_.size() - 1;
    const double before = last > 0 ? rows_[last - 1].noise : not_a_number;
    return before > 0.0 ? std::clamp(rows_[last].noise / before, 1.0, most) : 1.0;
  }

  /// All points where half of them would do.
  Index part_of(Index most) const { return 2 * most < whole_.size() ? most : whole_.size(); }

  void take() {
    map_ = whole_.subset(thinned(whole_.size(), part_));
    map_.drop_isolated = false;
    // Rows between those of the part add nothing new where they remember each other for longer.
    const double share = double(part_) / double(whole_.size());
    noise_of_whole_ = is_whole() ? 1.0 : std::min(1.0, std::sqrt(share * correlated_rows_ / correlated_rows(map_)));
    map_.bandwidth.dimension = map_.bandwidth.dimension_or(dimension_, map_.most_dimensions());
  }

  /// What one map says, before it is compared with others.
  struct Attempt {
    ScaleScanRow row;
    TriedScale tried;
  };

  /// Each process makes its own of these maps, and all have all that they say. Of those after the first that cannot be
  /// made there is nothing: nobody may come so far.
  std::deque<std::optional<Attempt>> attempts(const std::vector<ScalePair>& scales) {
    std::vector<Vector> packed(scales.size());
    for (std::size_t k = 0; k < scales.size(); ++k) {
      if (shares_.mine(Index(k))) {
        packed[k] = k == 0 ? packed_attempt(attempt(scales[k])) : packed_if_possible(scales[k]);
      }
    }
    shares_.complete(packed);
    std::deque<std::optional<Attempt>> all;
    for (const Vector& numbers : packed) {
      all.push_back(numbers.size() > 0 ? std::optional(unpacked_attempt(numbers)) : std::nullopt);
    }
    return all;
  }

  Vector packed_if_possible(const ScalePair& scales) {
    try {
      return packed_attempt(attempt(scales));
    } catch (const InvalidArgument&) {
      return {};
    } catch (const NumericalError&) {
      return {};
    }
  }

  Attempt attempt(const ScalePair& scales) {
    map_.epsilon = scales.epsilon;
    map_.density_epsilon = scales.density;
    const Generator g = build(map_);
    ScaleScanRow row{.epsilon = g.epsilon,
                     .density_epsilon = g.density_epsilon,
                     .points = part_,
                     .components = g.diagnostics.components,
                     .isolated_points = g.diagnostics.isolated_points,
                     .neighbours = g.diagnostics.mean_neighbours,
                     .timescales = {}};
    const Index count = std::min(options_.modes, part_ - 1);
    const Spectrum spectrum = eigenpairs_of(g, {.count = count, .tolerance = 1e-7, .max_products = 3000});
    const auto modes = true_modes(spectrum);
    row.timescales = spectrum.timescales(modes).tail(Index(modes.size()) - 1);
    row.usable = Index(modes.size()) == options_.modes + 1 && modes.back() <= most_listed();
    return {row, row.usable ? tried(g, spectrum, modes) : TriedScale{}};
  }

  static Vector packed_attempt(const Attempt& a) {
    const ScaleScanRow& row = a.row;
    std::vector<double> all{
        row.epsilon,    row.density_epsilon,   double(row.points), double(row.components), double(row.isolated_points),
        row.neighbours, row.usable ? 1.0 : 0.0};
    std::vector<Vector> lists{row.timescales, a.tried.lambda};
    lists.insert(lists.end(), a.tried.without.begin(), a.tried.without.end());
    for (const Vector& list : lists) {
      all.push_back(double(list.size()));
      all.insert(all.end(), list.begin(), list.end());
    }
    return Eigen::Map<const Vector>(all.data(), Index(all.size()));
  }

  static Attempt unpacked_attempt(const Vector& all) {
    constexpr Index of_the_row = 7;
    Attempt a{.row = {.epsilon = all[0],
                      .density_epsilon = all[1],
                      .points = Index(all[2]),
                      .components = Index(all[3]),
                      .isolated_points = Index(all[4]),
                      .neighbours = all[5],
                      .timescales = {},
                      .usable = all[6] > 0.0},
              .tried = {}};
    std::vector<Vector> lists;
    for (Index k = of_the_row; k < all.size(); k += 1 + Index(all[k])) {
      lists.emplace_back(all.segment(k + 1, Index(all[k])));
    }
    a.row.timescales = lists[0];
    a.tried.lambda = lists[1];
    a.tried.without.assign(lists.begin() + 2, lists.end());
    return a;
  }

  void take_attempt(std::size_t k, const Attempt& a) {
    rows_[k] = a.row;
    tried_[k] = a.tried;
    judge();
  }

  /// Where outliers are many more than the modes asked for, the scale is too small.
  Index most_listed() const { return 2 * options_.modes + 2; }

  /// lambda_0 and the leading modes that are neither outliers nor zeros of components: those are flagged and passed
  /// over.
  std::vector<Index> true_modes(const Spectrum& spectrum) const {
    std::vector<Index> modes{0};
    for (Index n = 1; n < spectrum.eigenvalues.size() && Index(modes.size()) <= options_.modes; ++n) {
      const bool decays = spectrum.eigenvalues[n].real() < 0.0;
      if (!spectrum.is_spurious(n) && decays && spectrum.residuals[n] < 1e-6) {
        modes.push_back(n);
      }
    }
    return modes;
  }

  TriedScale tried(const Generator& g, const Spectrum& spectrum, const std::vector<Index>& modes) const {
    Solution solution = solution_of(map_, g, spectrum);
    solution.psi = columns_of(solution.psi, modes);
    solution.phi = columns_of(solution.phi, modes);
    solution.lambda = Eigen::VectorXcd(solution.lambda(modes));
    const auto decaying = [&](const Eigen::VectorXcd& lambda) { return slowest_first(lambda.tail(options_.modes)); };
    TriedScale result{.lambda = decaying(solution.lambda), .without = {}};
    for (Index b = 0; b < options_.blocks; ++b) {
      const auto rows = without_block(b, options_.blocks, part_);
      result.without.push_back(decaying(projected_values(solution, build_part(map_, g, rows), rows)));
    }
    return result;
  }

  /// The errors of all rows so far: a narrower scale may have shown the bias of a wider one.
  void judge() {
    const auto errors = scale_errors(tried_, dimension_);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const double share = double(rows_[k].points) / double(whole_.size());
      rows_[k].bias = errors[k].width;
      rows_[k].few_points = errors[k].few * share;
      rows_[k].noise = errors[k].noise * (rows_[k].points == part_ ? noise_of_whole_ : noise_before_);
    }
  }

  const MapDefinition& whole_;
  const ScaleScanOptions& options_;
  Shares shares_;
  double dimension_;
  Index part_;
  double correlated_rows_ = 1.0;  // of all points
  double noise_of_whole_ = 1.0;   // in units of the noise of the part
  double noise_before_ = 1.0;     // of the part before this one
  MapDefinition map_;
  std::vector<ScaleScanRow> rows_;
  std::vector<TriedScale> tried_;
  std::deque<std::optional<Attempt>> attempts_;  // made ahead
};

/// The row with the smallest error; -1 if there is none.
Index best_row(const std::vector<ScaleScanRow>& rows) {
  Index best = -1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double error = rows[k].error();
    if (std::isfinite(error) && (best < 0 || error < rows[std::size_t(best)].error())) {
      best = Index(k);
    }
  }
  return best;
}

/// Down from the widest scale until outliers come, or the noise alone exceeds the smallest error so far.
std::vector<ScaleScanRow> descend(const MapDefinition& map, const ScaleScanOptions& options, double from,
                                  double dimension) {
  Stage stage("scales");
  Scan scan(map, options, dimension);
  double epsilon = from;
  constexpr Index steps = 20;
  for (Index step = 0; step < steps && in_range(epsilon, options); ++step, epsilon /= 2.0) {
    stage.begin(double(step) / double(steps), fmt::format("epsilon {:.3g}, {} points", epsilon, scan.part()));
    const Index before = best_row(scan.rows());
    const bool near = before >= 0 && before + 2 >= Index(scan.rows().size());
    std::vector<ScalePair> ahead;
    for (double next = epsilon / 2.0; Index(ahead.size()) < steps - 1 - step && in_range(next, options); next /= 2.0) {
      ahead.push_back({next, map.density_epsilon});
    }
    scan.add({epsilon, map.density_epsilon}, ahead);
    if (!scan.rows().back().usable && near && !scan.is_whole()) {  // the part has no points left, but all of them may
      if (!scan.may_grow()) {
        scan.continue_by_law();
        break;
      }
      scan.repeat_with_more();
    }
    const ScaleScanRow& row = scan.rows().back();
    const Index best = best_row(scan.rows());
    if (best >= 0 && (!row.usable || row.noise > 1.5 * scan.rows()[std::size_t(best)].error())) {
      break;
    }
  }
  return scan.rows();
}

/// The density scale, around the one that followed epsilon.
std::vector<ScaleScanRow> scan_density(const MapDefinition& map, const ScaleScanOptions& options,
                                       const ScaleScanRow& chosen, double dimension) {
  Stage stage("density scales");
  Scan scan(map, options, dimension);
  std::vector<ScalePair> scales;
  for (const double factor : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25}) {
    scales.push_back({chosen.epsilon, factor * chosen.density_epsilon});
  }
  for (std::size_t k = 0; k < scales.size(); ++k) {
    stage.begin(double(k) / double(scales.size()), fmt::format("density epsilon {:.3g}", scales[k].density.value()));
    scan.add(scales[k], {scales.begin() + std::ptrdiff_t(k) + 1, scales.end()});
  }
  return scan.rows();
}

/// What a squared length is in the units of epsilon.
double unit_of(const MapDefinition& map) {
  if (!map.local()) {
    return 1.0;
  }
  return 1.0 / matched_density_epsilon(map.subset(thinned(map.size(), 200)), 1.0);
}

/// The squared length at which a kernel has gone around every period: the slowest wave around the longest of them has
/// decayed to 1/e in one step, and wider kernels tell nothing. Axes without a period have their extent instead.
double once_around(PointsView points, const std::vector<double>& period) {
  if (std::none_of(period.begin(), period.end(), [](double length) { return length > 0.0; })) {
    return infinite;
  }
  double longest = 0.0;
  for (Index a = 0; a < points.cols(); ++a) {
    const double length = period[std::size_t(a)];
    const double extent = points.col(a).maxCoeff() - points.col(a).minCoeff();
    longest = std::max(longest, length > 0.0 ? length / (2.0 * std::numbers::pi) : extent);
  }
  return longest * longest;
}

/// The time in which the drift carries points twice as far as the data is wide, in the root mean square: that in which
/// the Euler step of a linear drift to the middle throws them as far out again on the other side. Maps with longer
/// steps tell nothing, and take long, as most steps end where no data is.
double longest_step(const MapDefinition& map) {
  if (!map.local() || map.drift.rows() == 0) {
    return infinite;
  }
  const PointsView points = map.points.view();
  const Eigen::RowVectorXd mean = points.colwise().mean();
  const double width = (points.rowwise() - mean).norm();
  const double drift = map.drift.norm();
  return drift > 0.0 ? 2.0 * width / drift : infinite;
}

/// The squared length beyond which wider kernels tell nothing.
double widest_length(const MapDefinition& map) {
  return map.distances.empty() ? once_around(map.points.view(), map.kernel.period) : widest_listed_scale(map.distances);
}

std::string reason_for(const ScaleScanRow& chosen, Index modes) {
  return fmt::format(
      "smallest estimated error of the {} leading time scales{}: bias {:.2g} %, few points {:.2g} %, noise {:.2g} %",
      modes, chosen.points > 0 ? "" : ", continued from wider scales on part of the points", 100.0 * chosen.bias,
      100.0 * chosen.few_points, 100.0 * chosen.noise);
}

/// Why no row could be chosen.
std::string reason_without(const std::vector<ScaleScanRow>& rows, const ScaleScanOptions& options) {
  const auto usable = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.usable; });
  std::string why = "at every scale most leading modes are outliers";
  if (rows.empty()) {
    why = "too few points to judge time scales";
  } else if (usable > 0 && (options.low || options.high)) {
    why = "the range holds too few scales to compare";
  } else if (usable > 0) {
    why = "at all scales but one most leading modes are outliers";
  }
  return "steepest growth of the kernel sum: " + why;
}

}  // namespace

double ScaleScanRow::error() const {
  return usable ? std::sqrt(bias * bias + few_points * few_points + noise * noise) : not_a_number;
}

ScaleScan scan_scales(const MapDefinition& map, const ScaleScanOptions& options) {
  // Processes share the scales, not the rows of one kernel.
  ScaleScanOptions dealt = options;
  dealt.execution = agreed_execution(options.execution);
  const Ranks* ranks = std::exchange(dealt.execution.ranks, nullptr);
  dealt.ranks = options.ranks != nullptr ? options.ranks : ranks;
  const ExecutionScope scope(dealt.execution);
  map.validate();
  return scanned(map, dealt);
}

ScaleScan detail::scanned(const MapDefinition& map, const ScaleScanOptions& options) {
  const Crew crew;
  const auto [squared_length, dimension] = steepest_scale(map);
  const double unit = unit_of(map);
  const double steepest = unit * squared_length;
  const double low = options.low.value_or(0.0);
  ScaleScan scan;
  scan.bandwidth_dimension = map.bandwidth.dimension_or(dimension, map.most_dimensions());
  if (map.size() >= 20 * std::max<Index>(options.blocks, 2)) {
    // Beyond the widest the kernel covers all points; halving from there would only take long.
    const double around = unit * widest_length(map);
    double from = std::max(low, std::min({options.high.value_or(infinite), widest * steepest, around}));
    while (0.5 * from >= low && from > longest_step(map)) {
      from *= 0.5;
    }
    scan.rows = descend(map, options, from, dimension);
  }
  const Index best = best_row(scan.rows);
  if (best < 0) {
    scan.epsilon = std::clamp(steepest, low, std::max(low, options.high.value_or(infinite)));
    scan.reason = reason_without(scan.rows, options);
    return scan;
  }
  ScaleScanRow chosen = scan.rows[std::size_t(best)];
  scan.epsilon = chosen.epsilon;
  const bool follows = map.local() && !map.density_epsilon.is_value();
  if (follows && chosen.points == 0) {
    scan.density_epsilon = chosen.density_epsilon;  // the part has no points left to try others at this epsilon
  } else if (follows) {
    scan.density = scan_density(map, options, chosen, dimension);
    const Index density = best_row(scan.density);
    chosen = density >= 0 ? scan.density[std::size_t(density)] : chosen;
    scan.density_epsilon = chosen.density_epsilon;
  }
  scan.error = chosen.error();
  scan.reason = reason_for(chosen, options.modes);
  return scan;
}

}  // namespace itomap
