#include "dynamics/finish_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
namespace {

using RowMatrix = Eigen::Map<Points>;

// The covariance about a mean takes one independent increment, an error of it a second one.
constexpr double least_independent = 2.0;

void check_counts(const IncrementSums& sums, const char* remedy) {
  Index first = -1, poor = 0;
  for (Index i = 0; i < sums.queries(); ++i) {
    // Rounding of the overlap sums must not refuse two runs.
    if (sums.count(i) > 0 && sums.independent(i) >= least_independent * (1.0 - 1e-12)) continue;
    if (poor++ == 0) first = i;
  }
  if (poor == 0) return;
  const Index count = sums.count(first);
  const auto what =
      count == 0 ? std::string("no frames near it")
                 : fmt::format("{} near it, worth {:.2g} independent increments where 2 are needed",
                               count == 1 ? "1 frame" : fmt::format("{} frames", count), sums.independent(first));
  throw InvalidArgument(fmt::format("query {} (counted from 0) has {}{}; {}", first, what,
                                    poor > 1 ? fmt::format(", and {} more are like it", poor - 1) : "", remedy));
}

/// Raises eigenvalues that are 0 up to rounding; false if there is none.
bool repair(RowMatrix a, double independent_products) {
  const auto [values, vectors] = symmetric_pairs(a);
  const double least = std::sqrt(std::numeric_limits<double>::epsilon()) * values.maxCoeff();
  if (values.minCoeff() > least) return false;
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
    if (!(a.trace() > 0.0)) {
      throw InvalidArgument(fmt::format(
          "query {} (counted from 0): all {} increments are the same, A = 0 there; LKDmap needs noise, check the data",
          i, sums.count(i)));
    }
    if (repair(a, sums.independent_products(i))) e.repaired.push_back(i);
  }
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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

DynamicsEstimate finish_estimate(const IncrementSums& sums, Points points, double lag, const char* remedy) {
  check_counts(sums, remedy);
  DynamicsEstimate e = sums.estimate(lag);
  e.points = std::move(points);
  e.suggested_eta = typical_diagonal(e.diffusion_error, sums.dimension());
  const double typical_diffusion = typical_diagonal(e.diffusion, sums.dimension());
  repair_all(sums, e);
  warn_of_distant_frames(sums, e);
  warn(e, typical_diffusion);
  return e;
}

}  // namespace itomap
