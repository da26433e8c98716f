#include "spectrum/tails.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace itomap {
namespace {

/// Weight, relative to the mean, below which y / sqrt(phi_0) loses more than half of the solver's nine digits.
constexpr double negligible = 1e-8;
constexpr double tolerance = 1e-7;
/// The share of a mode's norm that makes a part of it: far more than the tail's own weight.
constexpr double noticeable = 1e-3;
/// Modes of smaller values are gone within a step: P psi / mu is rounding.
constexpr double smallest_value = 1e-3;
/// Entries of the unit vector y that are not clearly larger than the solver's residual.
constexpr double lost = 1e-6;
constexpr int most_iterations = 500;

std::vector<Index> negligible_points(const Vector& stationary) {
  std::vector<Index> tail;
  for (Index i = 0; i < stationary.size(); ++i) {
    if (stationary[i] * double(stationary.size()) < negligible) {
      tail.push_back(i);
    }
  }
  return tail;
}

/// Largest |psi_n| over the points that are not in the tail.
Vector bulk_range(const Block& psi, const std::vector<Index>& tail) {
  Block bulk = psi;
  for (const Index i : tail) {
    bulk.row(i).setZero();
  }
  return bulk.cwiseAbs().colwise().maxCoeff();
}

/// One step psi_U <- (P psi / mu)_U; returns each mode's largest change relative to its range.
Vector step(const Generator& generator, const Vector& mu, const Vector& range, const std::vector<Index>& tail,
            Block& psi) {
  const Block next = generator.markov_rows(tail, psi);
  Vector change = Vector::Zero(psi.cols());
  for (std::size_t k = 0; k < tail.size(); ++k) {
    const Index i = tail[k];
    for (Index n = 0; n < psi.cols(); ++n) {
      const double value = next(Index(k), n) / mu[n];
      change[n] = std::max(change[n], std::abs(value - psi(i, n)) / range[n]);
      psi(i, n) = value;
    }
  }
  return change;
}

/// Modes by where they have to be refined: at all points of the tail, or, if they live there, where y is lost.
struct Plan {
  std::vector<Index> bulk_modes;
  std::vector<Index> tail_modes;
};

/// y^2 of the n-th mode at every point: phi psi, which does not underflow where sqrt(phi_0) does.
Vector shares(const Spectrum& spectrum, Index n) {
  return spectrum.left_eigenfunctions.col(n).cwiseProduct(spectrum.eigenfunctions.col(n));
}

Plan plan_for(const Spectrum& spectrum, const Vector& mu, const std::vector<Index>& modes,
              const std::vector<Index>& tail) {
  Plan plan;
  for (const Index n : modes) {
    if (mu[n] > smallest_value) {
      (shares(spectrum, n)(tail).sum() < noticeable ? plan.bulk_modes : plan.tail_modes).push_back(n);
    }
  }
  return plan;
}

/// The points of the tail where y is no larger than the solver's error.
std::vector<Index> lost_points(const Vector& share, const std::vector<Index>& tail) {
  std::vector<Index> points;
  std::copy_if(tail.begin(), tail.end(), std::back_inserter(points), [&](Index i) { return share[i] < lost * lost; });
  return points;
}

/// Replaces the modes at the points by steps of P from the others; returns those that did not settle.
std::vector<Index> refine(const Generator& generator, const Vector& mu, const std::vector<Index>& points,
                          const std::vector<Index>& modes, Spectrum& spectrum) {
  if (points.empty() || modes.empty()) {
    return {};
  }
  Block extended = spectrum.eigenfunctions(Eigen::all, modes);
  const Vector range = bulk_range(extended, points).cwiseMax(std::numeric_limits<double>::min());
  for (const Index i : points) {
    extended.row(i) = extended.row(i).cwiseMin(range.transpose()).cwiseMax(-range.transpose());
  }
  const Block clipped = extended;
  Vector change = Vector::Ones(range.size());
  // Entries that these rows may have in all: where there are more, they are better left uncertain.
  constexpr double most_entries = 5e7;
  const bool affordable = double(points.size()) * generator.diagnostics.mean_neighbours <= most_entries;
  for (int k = 0; affordable && k < most_iterations && change.maxCoeff() > tolerance && change.allFinite(); ++k) {
    change = step(generator, mu(modes), range, points, extended);
    spectrum.products += extended.cols();
  }
  std::vector<Index> failed;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const bool good = change[Index(k)] <= tolerance;
    const Vector psi = (good ? extended : clipped).col(Index(k));
    spectrum.eigenfunctions(points, modes[k]) = psi(points);
    spectrum.left_eigenfunctions(points, modes[k]) = spectrum.stationary(points).cwiseProduct(psi(points));
    if (!good) {
      failed.push_back(modes[k]);
    }
  }
  return failed;
}

}  // namespace

void refine_tails(const Generator& generator, const Vector& mu, const std::vector<Index>& modes, Spectrum& spectrum) {
  const auto tail = negligible_points(spectrum.stationary);
  const Plan plan = plan_for(spectrum, mu, modes, tail);
  std::vector<Index> failed = refine(generator, mu, tail, plan.bulk_modes, spectrum);
  for (const Index n : plan.tail_modes) {
    const auto more = refine(generator, mu, lost_points(shares(spectrum, n), tail), {n}, spectrum);
    failed.insert(failed.end(), more.begin(), more.end());
  }
  std::sort(failed.begin(), failed.end());
  if (!failed.empty()) {
    spectrum.warnings.push_back(fmt::format(
        "eigenfunction(s) {} at {} point(s) of negligible stationary weight are uncertain: do not read them there",
        fmt::join(failed, ", "), tail.size()));
  }
}

}  // namespace itomap
