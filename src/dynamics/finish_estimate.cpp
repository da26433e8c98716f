#include "dynamics/finish_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "core/median.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

using RowMatrix = Eigen::Map<Points>;

// The covariance about a mean takes one independent increment, an error of it a second one.
constexpr double least_independent = 2.0;

/// Why a query has no estimate, and what to do about it; `what` is empty if it has one.
struct Fault {
  std::string what{};
  const char* remedy = "";
};

Fault fault_of(const IncrementSums& sums, Index query, const FinishOptions& options) {
  constexpr double too_small = 1e-140, too_large = 1e140;  // squares of A must be numbers too
  const Index count = sums.count(query);
  if (count == 0) {
    return {"no frames near it", options.remedy};
  }
  // Rounding of the overlap sums must not refuse two runs.
  if (sums.independent(query) < least_independent * (1.0 - 1e-12)) {
    return {fmt::format("{} near it, worth {:.2g} independent increments where 2 are needed",
                        count == 1 ? "1 frame" : fmt::format("{} frames", count), sums.independent(query)),
            options.remedy};
  }
  const double size = sums.diffusion_trace(query, options.lag);
  if (size == 0.0) {
    return {fmt::format("{} increments that are all the same, or too small to square, so that A = 0", count),
            "LKDmap needs noise, check the data and their units"};
  }
  if (!(size > too_small && size < too_large)) {
    return {fmt::format("an A of {:g}, too large or too small for squares", size), "take other units"};
  }
  return {};
}

struct Selection {
  std::vector<Index> good;
  std::vector<Index> poor;
  std::string warning;
};

/// Which queries have an estimate; refuses the others unless they may be left out.
Selection select(const IncrementSums& sums, const FinishOptions& options) {
  Selection selection;
  Fault first;
  for (Index i = 0; i < sums.queries(); ++i) {
    Fault fault = fault_of(sums, i, options);
    const bool good = fault.what.empty();
    if (!good && selection.poor.empty()) {
      first = std::move(fault);
    }
    (good ? selection.good : selection.poor).push_back(i);
  }
  const std::size_t poor = selection.poor.size();
  if (poor == 0) {
    return selection;
  }
  const auto example = fmt::format("query {} (counted from 0) has {}", selection.poor[0], first.what);
  if (!options.leave_out_poor || selection.good.empty()) {
    throw InvalidArgument(fmt::format(
        "{}{}; {}", example, poor > 1 ? fmt::format(", and {} more are like it", poor - 1) : "", first.remedy));
  }
  selection.warning = fmt::format("{} of {} queries see too little and are left out{}: {}; {}", poor, sums.queries(),
                                  poor > 1 ? ", the first of them" : "", example, first.remedy);
  return selection;
}

/// Raises eigenvalues that are 0 up to rounding; false if there is none.
bool repair(RowMatrix a, double independent_products) {
  const auto [values, vectors] = symmetric_pairs(a);
  const double least = std::sqrt(std::numeric_limits<double>::epsilon()) * values.maxCoeff();
  if (values.minCoeff() > least) {
    return false;
  }
  const double mean = a.trace() / double(a.rows());
  const double raised = mean * std::min(1.0, std::sqrt(2.0 / independent_products));
  const Vector mended = (values.array() > least).select(values, raised);
  const Matrix whole = vectors * mended.asDiagonal() * vectors.transpose();
  a = 0.5 * (whole + whole.transpose());
  return true;
}

void repair_all(const IncrementSums& sums, DynamicsEstimate& e) {
  const Index n = sums.dimension();
  for (Index i = 0; i < sums.queries(); ++i) {
    const RowMatrix a(e.diffusion.row(i).data(), n, n);
    if (repair(a, sums.independent_products(i))) {
      e.repaired.push_back(i);
    }
  }
}

/// Root mean square over the diagonal of each point's matrix, the median of it over the points.
double typical_diagonal(const Points& matrices, Index n) {
  std::vector<double> sizes;
  for (Index i = 0; i < matrices.rows(); ++i) {
    const auto diagonal = Eigen::Map<const Points>(matrices.row(i).data(), n, n).diagonal();
    sizes.push_back(std::sqrt(diagonal.squaredNorm() / double(n)));
  }
  return median(std::move(sizes));
}

/// A query whose frames all lie to one side, farther away than from each other, has an answer that belongs elsewhere.
void warn_of_distant_frames(const IncrementSums& sums, DynamicsEstimate& e) {
  constexpr double far = 2.0;
  Index distant = 0;
  for (Index i = 0; i < sums.queries(); ++i) {
    distant += (e.points.row(i) - sums.centre(i)).norm() > far * sums.spread(i) ? 1 : 0;
  }
  if (distant > 0) {
    e.warnings.push_back(fmt::format(
        "{} of {} queries lie outside of the frames that were taken for them, by more than twice the spread "
        "of these: b and A are those of another place; leave such queries out",
        distant, sums.queries()));
  }
}

/// The shortest way is not the way that was gone if that led more than halfway around.
void warn_of_long_ways(const Torus& torus, double lag, DynamicsEstimate& e) {
  constexpr double deviations = 3.0;  // of a Gaussian increment, which one in 400 exceeds
  const Index n = e.points.cols();
  Index far = 0;
  for (Index i = 0; i < e.points.rows(); ++i) {
    bool within = true;
    for (Index a = 0; a < n; ++a) {
      const double reach =
          std::abs(e.drift(i, a)) * lag + deviations * std::sqrt(2.0 * e.diffusion(i, a * (n + 1)) * lag);
      within = within && (torus.period(a) == 0.0 || reach < 0.5 * torus.period(a));
    }
    far += within ? 0 : 1;
  }
  if (far > 0) {
    e.warnings.push_back(fmt::format(
        "at {} of {} points the process may get more than half a period away within the lag, and what it does then is "
        "taken for the shorter way: b and A are wrong there; take a shorter lag",
        far, e.points.rows()));
  }
}

void warn(DynamicsEstimate& e, double typical_diffusion) {
  if (!e.repaired.empty()) {
    e.warnings.push_back(
        fmt::format("A was not positive definite at {} of {} points and was repaired; fewer independent increments "
                    "than coordinates, "
                    "or a coordinate without noise",
                    e.repaired.size(), e.drift.rows()));
  }
  // At a third of A, three standard errors reach 0: A is not told from degenerate noise.
  if (e.suggested_eta > typical_diffusion / 3.0) {
    e.warnings.push_back(fmt::format(
        "the standard error of A is {:.0f} % of A in the median over the points; use more increments for each of them",
        100.0 * e.suggested_eta / typical_diffusion));
  }
}

}  // namespace

DynamicsEstimate finish_estimate(IncrementSums sums, Points points, const Torus& torus, const FinishOptions& options) {
  Selection selection = select(sums, options);
  if (!selection.poor.empty()) {
    sums = sums.subset(selection.good);
    points = Points(points(selection.good, Eigen::all));
  }
  DynamicsEstimate e = sums.estimate(options.lag);
  e.points = std::move(points);
  e.left_out = std::move(selection.poor);
  if (!e.left_out.empty()) {
    e.warnings.push_back(selection.warning);
  }
  e.suggested_eta = typical_diagonal(e.diffusion_error, sums.dimension());
  const double typical_diffusion = typical_diagonal(e.diffusion, sums.dimension());
  warn_of_long_ways(torus, options.lag, e);
  repair_all(sums, e);
  warn_of_distant_frames(sums, e);
  warn(e, typical_diffusion);
  return e;
}

}  // namespace itomap::detail
