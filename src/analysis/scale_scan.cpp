#include "itomap/analysis/scale_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/replicates.hpp"
#include "core/reporter.hpp"
#include "itomap/kernel/scale.hpp"

namespace itomap {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Where the descent begins, in units of the scale of steepest growth: that is often far too small for the tails.
constexpr double widest = 64.0;

/// Every so many-th row, so that a trajectory keeps its order.
std::vector<Index> thinned(Index points, Index most) {
  const Index count = std::min(points, most);
  std::vector<Index> rows(std::size_t(count), 0);
  for (Index k = 0; k < count; ++k) {
    rows[std::size_t(k)] = k * points / count;
  }
  return rows;
}

/// One map after the other, each half as wide as the one before; the last solution is kept to compare with.
class Scan {
 public:
  Scan(const MapDefinition& map, const ScaleScanOptions& options) : options_(options), all_(map.points.rows()) {
    map_ = map;
    map_.drop_isolated = false;
    map_.kernel.progress = {};
  }

  /// The map on a larger part of the points; what was kept is of no use then.
  void take(const MapDefinition& whole, Index points) {
    const auto kernel = map_.kernel;
    map_ = whole.subset(thinned(all_, points));
    map_.drop_isolated = false;
    map_.kernel = kernel;
    before_.reset();
  }

  Index points() const { return map_.points.rows(); }

  ScaleScanRow at(double epsilon, std::optional<double> density_epsilon) {
    map_.epsilon = epsilon;
    map_.density_epsilon = density_epsilon;
    const Generator g = map_.build();
    ScaleScanRow row;
    row.epsilon = g.epsilon;
    row.density_epsilon = g.density_epsilon;
    row.points = points();
    row.components = g.diagnostics.components;
    row.isolated_points = g.diagnostics.isolated_points;
    row.neighbours = g.diagnostics.mean_neighbours;
    row.bias = row.noise = nan;
    const Index count = std::min(2 * options_.modes, points() - 1);
    const Spectrum spectrum = eigenpairs(g, {.count = count, .max_products = 3000});
    const auto modes = true_modes(spectrum);
    row.timescales = spectrum.timescales(modes).tail(Index(modes.size()) - 1);
    row.usable = Index(modes.size()) == options_.modes + 1;
    if (row.usable) {
      Solution solution = solution_of(map_, g, spectrum);
      solution.psi = Eigen::MatrixXcd(solution.psi(Eigen::all, modes));
      solution.phi = Eigen::MatrixXcd(solution.phi(Eigen::all, modes));
      solution.lambda = Eigen::VectorXcd(solution.lambda(modes));
      judge(std::move(solution), row);
    }
    return row;
  }

 private:
  /// lambda_0 and the leading modes that are neither outliers nor zeros of components. A few outliers are flagged and
  /// passed over; where they are more than the modes asked for, the scale is too small.
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

  /// Bias against the scale before, noise from the blocks.
  void judge(Solution now, ScaleScanRow& row) {
    if (before_) {
      Solution wide = *before_;
      reorder(now, wide);
      row.bias = relative(wide.lambda - now.lambda, now.lambda);
    }
    Jackknife noise;
    for (Index b = 0; b < options_.blocks; ++b) {
      noise.add(projected_values(now, without_block(b, options_.blocks, points())));
    }
    row.noise = relative(noise.error(), now.lambda) * std::sqrt(double(points()) / double(all_));
    before_ = std::move(now);
  }

  /// Root mean square over the modes, lambda_0 left out.
  static double relative(const Eigen::VectorXcd& error, const Eigen::VectorXcd& lambda) {
    const Index modes = lambda.size() - 1;
    const Vector ratio = error.tail(modes).cwiseAbs().cwiseQuotient(lambda.tail(modes).cwiseAbs());
    return ratio.norm() / std::sqrt(double(modes));
  }

  const ScaleScanOptions& options_;
  Index all_;
  MapDefinition map_;
  std::optional<Solution> before_;
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

bool in_range(double epsilon, const ScaleScanOptions& options) {
  constexpr double rounding = 1.0 + 1e-9;
  return epsilon * rounding >= options.low.value_or(0.0) &&
         epsilon <= rounding * options.high.value_or(std::numeric_limits<double>::infinity());
}

/// Down from the widest scale until outliers come, or the noise alone exceeds the smallest error so far.
class Descent {
 public:
  Descent(const MapDefinition& map, const ScaleScanOptions& options)
      : whole_(map), options_(options), scan_(map, options), reporter_(options.progress, "scales") {}

  std::vector<ScaleScanRow> run(double from) {
    Index part = std::min(options_.most_points, whole_.points.rows());
    scan_.take(whole_, part);
    double epsilon = from;
    for (int step = 0; step < 20 && in_range(epsilon, options_); ++step, epsilon /= 2.0) {
      reporter_.report_or_throw(double(step) / 20.0, fmt::format("epsilon {:.3g}, {} points", epsilon, part));
      ScaleScanRow row = scan_.at(epsilon, whole_.density_epsilon);
      const Index best = best_row(rows_);
      const bool too_thin = !row.usable && best >= 0;
      const bool edge = best >= 0 && best + 1 == Index(rows_.size());
      if (too_thin && edge && part < whole_.points.rows()) {
        // The part has no points left for this scale, but all of them may.
        part = std::min(4 * part, whole_.points.rows());
        scan_.take(whole_, part);
        scan_.at(2.0 * epsilon, whole_.density_epsilon);  // to compare with
        row = scan_.at(epsilon, whole_.density_epsilon);
      }
      rows_.push_back(row);
      const bool noisy = best >= 0 && row.noise > 1.5 * rows_[std::size_t(best)].error();
      if (best_row(rows_) >= 0 && (!row.usable || noisy)) {
        break;
      }
    }
    return rows_;
  }

  /// The density scale, around the one that follows epsilon.
  std::vector<ScaleScanRow> density(double epsilon, double middle) {
    std::vector<ScaleScanRow> rows;
    scan_.take(whole_, std::min(options_.most_points, whole_.points.rows()));
    for (const double factor : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25}) {
      reporter_.report_or_throw(0.8, fmt::format("density epsilon {:.3g}", factor * middle));
      rows.push_back(scan_.at(epsilon, factor * middle));
    }
    return rows;
  }

 private:
  const MapDefinition& whole_;
  const ScaleScanOptions& options_;
  Scan scan_;
  Reporter reporter_;
  std::vector<ScaleScanRow> rows_;
};

/// The scale at which the kernel sum grows fastest, in the units of epsilon.
double steepest_scale(const MapDefinition& map) {
  const double length = select_scale(map.points, map.kernel).epsilon;
  if (!map.local()) {
    return length;
  }
  MapDefinition probe = map.subset(thinned(map.points.rows(), 200));
  probe.epsilon.reset();
  probe.density_epsilon.reset();
  const Generator g = probe.build();
  return length * g.epsilon / g.density_epsilon;
}

}  // namespace

double ScaleScanRow::error() const { return usable ? std::sqrt(bias * bias + noise * noise) : nan; }

ScaleScan scan_scales(const MapDefinition& map, const ScaleScanOptions& options) {
  const double steepest = steepest_scale(map);
  ScaleScan scan;
  Descent descent(map, options);
  if (map.points.rows() >= 20 * std::max<Index>(options.blocks, 2)) {
    scan.rows = descent.run(options.high.value_or(widest * steepest));
  }
  const Index best = best_row(scan.rows);
  if (best < 0) {
    scan.epsilon = std::clamp(steepest, options.low.value_or(0.0), options.high.value_or(steepest));
    scan.reason = scan.rows.empty()
                      ? "steepest growth of the kernel sum: too few points to judge time scales"
                      : "steepest growth of the kernel sum: at every scale most leading modes are outliers";
    return scan;
  }
  const ScaleScanRow& chosen = scan.rows[std::size_t(best)];
  scan.epsilon = chosen.epsilon;
  scan.reason = fmt::format("smallest estimated error of the {} leading time scales: bias {:.2g} %, noise {:.2g} %",
                            chosen.timescales.size(), 100.0 * chosen.bias, 100.0 * chosen.noise);
  if (map.local() && !map.density_epsilon) {
    scan.density = descent.density(chosen.epsilon, chosen.density_epsilon);
    const Index density = best_row(scan.density);
    scan.density_epsilon = density >= 0 ? scan.density[std::size_t(density)].density_epsilon : chosen.density_epsilon;
  }
  return scan;
}

}  // namespace itomap
