#include "spectrum/tails.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace itomap {
namespace {

/// Weight, relative to the mean, below which y / sqrt(phi_0) loses more than half of the solver's nine digits.
constexpr double negligible = 1e-8;
constexpr double tolerance = 1e-7;
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

/// A mode that lives on a few points of the tail, or would divide by zero, has nothing to be extended from.
std::vector<Index> extendable(const Vector& mu, const Vector& range, const Spectrum& spectrum) {
  std::vector<Index> modes;
  for (Index n = 0; n < mu.size(); ++n) {
    if (range[n] > 0.0 && mu[n] > 0.0 && !spectrum.is_spurious(n)) {
      modes.push_back(n);
    }
  }
  return modes;
}

}  // namespace

void refine_tails(const Generator& generator, const Vector& mu, const Vector& stationary, Block& psi,
                  Spectrum& spectrum) {
  const auto tail = negligible_points(stationary);
  const Vector all_ranges = bulk_range(psi, tail);
  const auto modes = extendable(mu, all_ranges, spectrum);
  if (tail.empty() || modes.empty()) {
    return;
  }
  const Vector range = all_ranges(modes);
  Block extended = psi(Eigen::all, modes);
  for (const Index i : tail) {
    extended.row(i) = extended.row(i).cwiseMin(range.transpose()).cwiseMax(-range.transpose());
  }
  Block clipped = extended;
  Vector change = Vector::Ones(range.size());
  // Entries that the rows of the tail may have in all: where there are more, the tail is better left uncertain.
  constexpr double most_entries = 5e7;
  const bool affordable = double(tail.size()) * generator.diagnostics.mean_neighbours <= most_entries;
  for (int k = 0; affordable && k < most_iterations && change.maxCoeff() > tolerance && change.allFinite(); ++k) {
    change = step(generator, mu(modes), range, tail, extended);
    spectrum.products += extended.cols();
  }
  std::vector<Index> failed;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const bool good = change[Index(k)] <= tolerance;
    psi.col(modes[k]) = (good ? extended : clipped).col(Index(k));
    if (!good) {
      failed.push_back(modes[k]);
    }
  }
  if (!failed.empty()) {
    spectrum.warnings.push_back(fmt::format(
        "eigenfunction(s) {} at {} point(s) of negligible stationary weight are uncertain: do not read them there",
        fmt::join(failed, ", "), tail.size()));
  }
}

}  // namespace itomap
