#include "spectrum/tails.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/numbers.hpp"
#include "spectrum/symmetric_form.hpp"

namespace itomap::detail {
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
/// By how much a unit vector y may change: so little that none is less orthogonal to the others for it.
constexpr double unnoticed = 2e-7;
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

/// y^2 of the n-th mode at every point: phi psi, which does not underflow where sqrt(phi_0) does.
Vector shares(const Spectrum& spectrum, Index n) {
  return spectrum.left_eigenfunctions.col(n).cwiseProduct(spectrum.eigenfunctions.col(n));
}

/// The points of the tail where y is no larger than the solver's error.
std::vector<Index> lost_points(const Vector& share, const std::vector<Index>& tail) {
  std::vector<Index> points;
  std::copy_if(tail.begin(), tail.end(), std::back_inserter(points), [&](Index i) { return share[i] < lost * lost; });
  return points;
}

/// Largest |psi| over the other points.
double range_beyond(Vector psi, const std::vector<Index>& points) {
  psi(points).setZero();
  return std::max(psi.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
}

/// How large the n-th mode can be at the points: as it is elsewhere, and where y is lost no larger than that.
Vector sizes(const Spectrum& spectrum, const Vector& root, Index n, const std::vector<Index>& points, bool are_lost) {
  Vector size = Vector::Constant(Index(points.size()), range_beyond(spectrum.eigenfunctions.col(n), points));
  for (std::size_t k = 0; are_lost && k < points.size(); ++k) {
    size[Index(k)] = std::min(size[Index(k)], lost / root[points[k]]);
  }
  return size;
}

Vector clipped(const Vector& psi, const Vector& size) { return psi.cwiseMin(size).cwiseMax(-size); }

/// Steps psi_U <- (P psi / mu)_U of some modes at the points U, and how far they are from their limit.
class TailExtension {
 public:
  /// `size` is how large each mode can be at each of the points.
  TailExtension(const Generator& generator, const Vector& mu, const std::vector<Index>& points, Block psi, Block size)
      : generator_(generator),
        mu_(mu),
        points_(points),
        psi_(std::move(psi)),
        size_(std::move(size)),
        change_(Vector::Constant(mu.size(), infinite)),
        error_(change_) {}

  /// Until all modes have settled or it is clear that some do not.
  void run() {
    for (int steps = 0; steps < most_iterations && error_.maxCoeff() > tolerance && psi_.allFinite(); ++steps) {
      step();
    }
  }

  bool settled(Index n) const { return error_[n] <= tolerance; }
  /// The n-th mode at the points.
  Vector values(Index n) const { return psi_(points_, n); }

 private:
  void step() {
    const Block before = psi_(points_, Eigen::all);
    const Block next = generator_.markov_rows(points_, psi_) * mu_.cwiseInverse().asDiagonal();
    psi_(points_, Eigen::all) = next;
    const Vector change = (next - before).cwiseAbs().cwiseQuotient(size_).colwise().maxCoeff();
    for (Index n = 0; n < change.size(); ++n) {
      // The rest of a geometric series: where points of the tail see little but each other, small steps lead far.
      const double ratio = change[n] / change_[n];
      error_[n] = change[n] == 0.0 ? 0.0 : ratio < 1.0 ? change[n] / (1.0 - ratio) : infinite;
    }
    change_ = change;
  }

  const Generator& generator_;
  Vector mu_;
  const std::vector<Index>& points_;
  Block psi_;
  Block size_;
  Vector change_;  // of the last step, relative to the size
  Vector error_;   // that is left, likewise
};

/// Tries other values at the points of the tail and keeps what the eigenvalue equation agrees with.
class TailRefinement {
 public:
  TailRefinement(const Generator& generator, const Vector& mu, const SymmetricResiduals& residuals, double tolerated,
                 Spectrum& spectrum)
      : generator_(generator),
        mu_(mu),
        residuals_(residuals),
        tolerated_(tolerated),
        spectrum_(spectrum),
        root_(stationary_root(generator)),
        tail_(negligible_points(spectrum.stationary)) {}

  /// Modes whose values there remain uncertain.
  std::vector<Index> run(const std::vector<Index>& modes) {
    if (tail_.empty()) {
      return {};
    }
    std::vector<Index> bulk_modes;
    std::vector<Index> other_modes;
    for (const Index n : modes) {
      const bool in_bulk = mu_[n] > smallest_value && shares(spectrum_, n)(tail_).sum() < noticeable;
      (in_bulk ? bulk_modes : other_modes).push_back(n);
    }
    const auto open = extended(tail_, bulk_modes, false);
    other_modes.insert(other_modes.end(), open.begin(), open.end());
    std::vector<Index> uncertain;
    for (const Index n : other_modes) {
      const auto points = lost_points(shares(spectrum_, n), tail_);
      if (mu_[n] <= smallest_value || !extended(points, {n}, true).empty()) {
        bound(points, n);
        uncertain.push_back(n);
      }
    }
    std::sort(uncertain.begin(), uncertain.end());
    return uncertain;
  }

  const std::vector<Index>& tail() const { return tail_; }

 private:
  /// Replaces the modes at the points by steps of P from the others; returns those where that fails, unchanged.
  std::vector<Index> extended(const std::vector<Index>& points, const std::vector<Index>& modes, bool are_lost) {
    // Entries that these rows may have in all: where there are more, they are better left uncertain.
    constexpr double most_entries = 5e7;
    if (double(points.size()) * generator_.diagnostics.mean_neighbours > most_entries) {
      return modes;
    }
    if (points.empty() || modes.empty()) {
      return {};
    }
    Block psi = spectrum_.eigenfunctions.re(Eigen::all, modes);
    Block size(Index(points.size()), psi.cols());
    for (Index k = 0; k < psi.cols(); ++k) {
      const Index n = modes[std::size_t(k)];
      size.col(k) = sizes(spectrum_, root_, n, points, are_lost);
      psi(points, k) = clipped(psi(points, k), size.col(k));
      // Nothing of what is lost: where no number of steps leads to the mode, it is zero.
      psi(lost_points(shares(spectrum_, n), points), k).setZero();
    }
    TailExtension extension(generator_, mu_(modes), points, psi, std::move(size));
    extension.run();
    std::vector<Index> failed;
    std::vector<Index> settled;
    std::vector<Index> columns;
    for (Index k = 0; k < psi.cols(); ++k) {
      (extension.settled(k) ? settled : failed).push_back(modes[std::size_t(k)]);
      if (extension.settled(k)) {
        columns.push_back(k);
      }
      psi(points, k) = extension.values(k);
    }
    const auto worse =
        take(points, settled, columns.size() == modes.size() ? std::move(psi) : Block(psi(Eigen::all, columns)));
    failed.insert(failed.end(), worse.begin(), worse.end());
    return failed;
  }

  /// Values that are no larger than the mode can be there, unless y tells that they are.
  void bound(const std::vector<Index>& points, Index n) {
    Block psi = spectrum_.eigenfunctions.col(n);
    psi(points, 0) = clipped(psi(points, 0), sizes(spectrum_, root_, n, points, true));
    take(points, {n}, psi);
  }

  /// Takes over, at the points, the functions that solve the eigenvalue equation as well as is asked for, or as those
  /// did that they replace, and are the same but for what is lost; returns the others.
  std::vector<Index> take(const std::vector<Index>& points, const std::vector<Index>& modes, const Block& psi) {
    std::vector<Index> worse;
    if (modes.empty()) {
      return worse;
    }
    const Vector residuals = residuals_(mu_(modes), psi);
    for (Index k = 0; k < psi.cols(); ++k) {
      const Index n = modes[std::size_t(k)];
      if (residuals[k] <= std::max(tolerated_, spectrum_.residuals[n]) && change(points, n, psi.col(k)) <= unnoticed) {
        spectrum_.residuals[n] = residuals[k];
        const Vector values = psi(points, k);
        spectrum_.eigenfunctions.re(points, n) = values;
        const Vector y = root_(points).cwiseProduct(values);
        spectrum_.left_eigenfunctions.re(points, n) = root_(points).cwiseProduct(y);
      } else {
        worse.push_back(n);
      }
    }
    return worse;
  }

  /// Of y, in its norm. The residual says little about it where other eigenvalues are next to this one.
  double change(const std::vector<Index>& points, Index n, const Vector& psi) const {
    const Vector difference = psi(points) - Vector(spectrum_.eigenfunctions.re(points, n));
    return root_(points).cwiseProduct(difference).stableNorm();
  }

  const Generator& generator_;
  const Vector& mu_;
  const SymmetricResiduals& residuals_;
  double tolerated_;
  Spectrum& spectrum_;
  Vector root_;  // sqrt(phi_0), also where phi_0 underflows
  std::vector<Index> tail_;
};

}  // namespace

void refine_tails(const Generator& generator, const Vector& mu, const std::vector<Index>& modes,
                  const SymmetricResiduals& residuals, double tolerance, Spectrum& spectrum) {
  TailRefinement refinement(generator, mu, residuals, tolerance, spectrum);
  const auto uncertain = refinement.run(modes);
  if (!uncertain.empty()) {
    spectrum.warnings.push_back(fmt::format(
        "eigenfunction(s) {} at {} point(s) of negligible stationary weight are uncertain: do not read them there",
        fmt::join(uncertain, ", "), refinement.tail().size()));
  }
}

}  // namespace itomap::detail
