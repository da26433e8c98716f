#include "scales/replicates.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include "core/dense_algebra.hpp"
#include "core/scaled_rows.hpp"
#include "generator/maps.hpp"
#include "scales/mode_correction.hpp"
#include "spectrum/solve.hpp"
#include "spectrum/symmetric_form.hpp"

namespace itomap::detail {
namespace {

using Complex = std::complex<double>;

constexpr double likeness = 0.5;  // two modes that have mixed evenly overlap by 0.7

/// For each row the column that is largest in it, among those that no row above has taken.
std::vector<Index> best_matches(const Matrix& overlap) {
  std::vector<Index> matches;
  std::vector<bool> taken(std::size_t(overlap.cols()), false);
  for (Index n = 0; n < overlap.rows(); ++n) {
    Index best = -1;
    for (Index k = 0; k < overlap.cols(); ++k) {
      if (!taken[std::size_t(k)] && (best < 0 || overlap(n, k) > overlap(n, best))) {
        best = k;
      }
    }
    taken[std::size_t(best)] = true;
    matches.push_back(best);
  }
  return matches;
}

/// 0 for a real mode, 1 for the upper and -1 for the lower of two conjugates.
int kind(Complex lambda) { return int(lambda.imag() > 0.0) - int(lambda.imag() < 0.0); }

/// Modes of different kinds do not belong together: no overlap.
Matrix overlap_of_kinds(const ComplexMatrix& overlap, const Eigen::VectorXcd& rows, const Eigen::VectorXcd& columns) {
  Matrix result = overlap.cwiseAbs();
  for (Index n = 0; n < rows.size(); ++n) {
    for (Index k = 0; k < columns.size(); ++k) {
      result(n, k) = kind(rows[n]) == kind(columns[k]) ? result(n, k) : 0.0;
    }
  }
  return result;
}

/// The points of the whole that are in a part: some that lost their last neighbour may have been dropped.
std::vector<Index> kept_of(const Generator& part, const std::vector<Index>& rows) {
  std::vector<Index> kept;
  for (const Index i : part.kept) {
    kept.push_back(rows[std::size_t(i)]);
  }
  return kept;
}

/// Modes whose likenesses are mixtures of each other: the same number for each group.
std::vector<Index> mixed_groups(const Matrix& overlap) {
  constexpr double mixed = 0.3;
  const Index modes = overlap.rows();
  std::vector<Index> group(std::size_t(modes), 0);
  std::iota(group.begin(), group.end(), Index(0));
  for (Index n = 0; n < modes; ++n) {
    for (Index k = 0; k < modes; ++k) {
      const Index from = group[std::size_t(k)];
      const Index to = group[std::size_t(n)];
      if (overlap(n, k) > mixed && from != to) {
        std::replace(group.begin(), group.end(), from, to);
      }
    }
  }
  return group;
}

/// Which of the eigenvectors of H, near to unit vectors, belongs to which mode: the one most like it. Which of several
/// mixtures of real modes is called which would be chance: the slower one comes first, as it does in the whole.
std::vector<Index> places_of(const GeneralEigen& pairs, const Eigen::VectorXcd& whole) {
  const Matrix overlap = pairs.vectors.cwiseAbs();
  std::vector<Index> match = best_matches(overlap);
  const std::vector<Index> group = mixed_groups(overlap(Eigen::all, match));
  const auto real = [&](std::size_t n) { return kind(whole[Index(n)]) == 0 && kind(pairs.values[match[n]]) == 0; };
  for (std::size_t n = 1; n < match.size(); ++n) {
    for (std::size_t k = n; k > 1; --k) {
      const bool together = group[k] == group[k - 1] && real(k) && real(k - 1);
      if (together && pairs.values[match[k]].real() > pairs.values[match[k - 1]].real()) {
        std::swap(match[k], match[k - 1]);
      }
    }
  }
  return match;
}

/// The last mode may be half of a pair: without the other half the projection of a real matrix is not real.
bool ends_in_half_a_pair(const ComplexVector& lambda) {
  const Index last = lambda.size() - 1;
  return kind(lambda[last]) != 0 && (last == 0 || lambda[last - 1] != std::conj(lambda[last]));
}

ComplexVector with_conjugate_of_last(const ComplexVector& lambda) {
  ComplexVector more(lambda.size() + 1);
  more << lambda, std::conj(lambda[lambda.size() - 1]);
  return more;
}

PartModes leading(PartModes modes, Index count) {
  if (modes.lambda.size() == count) {
    return modes;
  }
  std::vector<Index> first(std::size_t(count), 0);
  std::iota(first.begin(), first.end(), Index(0));
  return {modes.lambda.head(count), columns_of(modes.psi, first), columns_of(modes.phi, first)};
}

/// Of a small matrix that is real if nothing in it is complex.
GeneralEigen small_pairs(const ComplexMatrix& h) {
  return h.imag().isZero(0.0) ? general_pairs(Matrix(h.real())) : general_pairs(h);
}

/// A unit factor for each mode that makes its overlap with that of `leading` positive.
void take_phases(const Solution& leading, Solution& other) {
  const ComplexVector phases = column_products(leading.phi, other.psi).unaryExpr([](Complex overlap) {
    return overlap != 0.0 ? std::abs(overlap) / overlap : Complex(1.0);
  });
  other.psi = scaled_columns(std::move(other.psi), phases);
  other.phi = scaled_columns(std::move(other.phi), phases.cwiseInverse());
}

/// Unit mean square and the phase of the modes of all, whose phi these are on the part.
void scale_as_whole(const Eigenfunctions& phi, const Generator& part, PartModes& modes) {
  const Vector sizes =
      conjugate_products(modes.psi, modes.psi, stationary_of(part, modes)).real().cwiseAbs().cwiseSqrt();
  ComplexVector scale = column_products(phi, modes.psi);
  for (Index n = 0; n < scale.size(); ++n) {
    scale[n] = scale[n] != 0.0 ? std::abs(scale[n]) / (scale[n] * sizes[n]) : Complex(1.0 / sizes[n]);
  }
  modes.psi = scaled_columns(std::move(modes.psi), scale);
  modes.phi = scaled_columns(std::move(modes.phi), scale.cwiseInverse());
}

/// Functions R that are near to the modes of a part, and L that are from the left side.
struct NearModes {
  ComplexMatrix gram;       // L^T R
  ComplexMatrix projected;  // L^T P R
  Eigenfunctions image;     // P R
  Eigenfunctions left;
};

NearModes near_modes_of(const Eigenfunctions& left, const CorrectedModes& right) {
  return {inner_products(left, right.f), inner_products(left, right.image), right.image, left};
}

/// Rows times one number each.
Eigenfunctions weighed(const Vector& weights, const Eigenfunctions& f) {
  return applied([&weights](const Block& g) { return scaled_rows(weights, g); }, f);
}

/// The other side of a reversible map is the same functions by weight.
NearModes near_reversible_modes(const Generator& part, const FunctionOperator& markov, const Eigenfunctions& right,
                                const CorrectionLimits& limits) {
  const Vector weights = part.reversible_stationary();
  const CorrectedModes corrected = corrected_modes(markov, right, weighed(weights, right), weights, limits);
  return near_modes_of(weighed(weights, corrected.f), corrected);
}

/// Rows that products in few unknowns drown, by a step of P from all others.
void set_small_rows(const Generator& part, const Vector& mu, Eigenfunctions& f) {
  f.re(part.small_rows, Eigen::all) = part.markov_rows(part.small_rows, f.re) * mu.cwiseInverse().asDiagonal();
}

/// The same in few unknowns. There the matrix is M = L^T L where that on the points is S = L L^T, and y = L u is never
/// needed before its image S y = L M u:  y^T y = u^T M u,  y^T S y = (M u)^T M u.
NearModes near_condensed_modes(const Generator& part, const CondensedOperator& condensed, const Eigenfunctions& right,
                               const CorrectionLimits& limits) {
  const Vector root = stationary_root(part);
  const auto small = [&condensed](const Block& u) {
    Block v(u.rows(), u.cols());
    condensed.apply(u, v);
    return v;
  };
  const FunctionOperator m = [&small](const Eigenfunctions& u) { return applied(small, u); };
  const Eigenfunctions start = applied([&](const Block& y) { return condensed.condense(y); }, weighed(root, right));
  const CorrectedModes corrected = corrected_modes(m, start, start, Vector::Ones(condensed.size()), limits);
  const Eigenfunctions y = applied([&](const Block& u) { return condensed.expand(u); }, corrected.image);
  NearModes near{inner_products(corrected.f, corrected.image), inner_products(corrected.image, corrected.image),
                 weighed(root.cwiseInverse(), y), weighed(root, y)};
  if (!part.small_rows.empty()) {
    const Vector mu = near.projected.diagonal().real().cwiseQuotient(near.gram.diagonal().real());
    set_small_rows(part, mu, near.image);
  }
  return near;
}

/// In few unknowns where to make the matrix costs less than the products with it that it saves.
std::shared_ptr<const CondensedOperator> condensed_part(const Generator& part, Index modes,
                                                        const CorrectionLimits& limits) {
  constexpr Index together = 4;
  const Index blocks = (modes + together - 1) / together;
  const double products = double(limits.steps) * double(blocks);
  if (part.kernel->condensing_cost() > products || part.pace.size() > 0) {
    return nullptr;
  }
  const Vector scaling = symmetric_scaling(part);
  return part.kernel->condensed(scaling, scaling, {});
}

NearModes near_modes(const Generator& part, const Eigenfunctions& left, const Eigenfunctions& right,
                     const CorrectionLimits& limits) {
  const FunctionOperator markov = [&part](const Eigenfunctions& f) {
    return applied([&part](const Block& g) { return part.markov(g); }, f);
  };
  if (limits.steps == 0) {
    return near_modes_of(left, {right, markov(right)});
  }
  if (part.reversible) {
    const auto condensed = condensed_part(part, right.cols(), limits);
    return condensed ? near_condensed_modes(part, *condensed, right, limits)
                     : near_reversible_modes(part, markov, right, limits);
  }
  const FunctionOperator markov_transpose = [&part](const Eigenfunctions& w) {
    return applied([&part](const Block& g) { return part.markov_transpose(g); }, w);
  };
  const Vector stationary = left.re.col(0).cwiseAbs();
  const CorrectedModes corrected = corrected_modes(markov, right, left, stationary, limits);
  const CorrectedModes other = corrected_modes(markov_transpose, left, right, Vector::Ones(stationary.size()), limits);
  return near_modes_of(other.f, corrected);
}

/// Whether mode n is one of two conjugates whose counterparts are not.
bool parted(const Eigen::VectorXcd& lambda, const Eigen::VectorXcd& other, Index n) {
  const Index partner = n + kind(lambda[n]);
  const bool pair = partner != n && partner >= 0 && partner < lambda.size() && lambda[partner] == std::conj(lambda[n]);
  return pair && other[partner] != std::conj(other[n]);
}

}  // namespace

MapDefinition at_scale(const MapDefinition& map, const Generator& g, double factor) {
  MapDefinition scaled = map;
  scaled.epsilon = factor * g.epsilon;
  if (map.local()) {
    scaled.density_epsilon = factor * g.density_epsilon;
  }
  if (!map.bandwidth.fixed()) {
    scaled.bandwidth.dimension = g.bandwidth_dimension;  // another one would be another operator
  }
  return scaled;
}

std::vector<Index> without_block(Index block, Index blocks, Index points) {
  std::vector<Index> rows;
  for (Index i = 0; i < points; ++i) {
    if (i < block * points / blocks || i >= (block + 1) * points / blocks) {
      rows.push_back(i);
    }
  }
  return rows;
}

Solution solution_of(const MapDefinition& map, const Generator& g, const Spectrum& s) {
  return {map, g.epsilon, simplified(s.eigenfunctions), simplified(s.left_eigenfunctions), s.eigenvalues};
}

std::vector<Index> reorder(const Solution& leading, Solution& other) {
  const Matrix overlap = overlap_of_kinds(inner_products(leading.phi, other.psi), leading.lambda, other.lambda);
  const std::vector<Index> order = best_matches(overlap);
  other.psi = columns_of(other.psi, order);
  other.phi = columns_of(other.phi, order);
  other.lambda = Eigen::VectorXcd(other.lambda(order));
  std::vector<Index> alone;
  for (Index n = 0; n < overlap.rows(); ++n) {
    // All of its kind together: copies of a repeated eigenvalue are turned against each other.
    const bool has_likeness = overlap.row(n).norm() >= likeness && kind(leading.lambda[n]) == kind(other.lambda[n]);
    if (!has_likeness || parted(leading.lambda, other.lambda, n)) {
      alone.push_back(n);
    }
  }
  other.lambda(alone) = Eigen::VectorXcd(leading.lambda(alone));
  take_phases(leading, other);
  return alone;
}

Vector stationary_of(const Generator& part, const PartModes& modes) {
  if (part.reversible) {
    return part.reversible_stationary();
  }
  const Vector weights = modes.phi.col(0);
  return weights / weights.sum();
}

PartModes part_modes(const Solution& solution, const Generator& part, const std::vector<Index>& rows,
                     const CorrectionLimits& limits) {
  const std::vector<Index> kept = kept_of(part, rows);
  Eigenfunctions right = on_rows(solution.psi, kept);
  Eigenfunctions whole = on_rows(solution.phi, kept);
  ComplexVector lambda = solution.lambda;
  if (ends_in_half_a_pair(lambda)) {
    right = with_conjugate_of_last(std::move(right));
    whole = with_conjugate_of_last(std::move(whole));
    lambda = with_conjugate_of_last(lambda);
  }
  const NearModes near = near_modes(part, whole, right, limits);
  const GeneralEigen pairs = small_pairs(solved(near.gram, near.projected));
  const std::vector<Index> places = places_of(pairs, lambda);
  const ComplexVector mu = pairs.values(places);
  const ComplexMatrix vectors = pairs.vectors(Eigen::all, places);
  PartModes modes{(mu.array() - 1.0) / part.time_step(), combined(near.image, vectors), {}};
  const auto identity = ComplexMatrix::Identity(mu.size(), mu.size());
  modes.phi = combined(near.left, solved(inner_products(near.left, modes.psi), identity).transpose());
  scale_as_whole(whole, part, modes);
  return leading(modes, solution.lambda.size());
}

Eigen::VectorXcd projected_values(const Solution& s, const Generator& part, const std::vector<Index>& rows) {
  return part_modes(s, part, rows, {.steps = 0, .residual = 1.0}).lambda;
}

Eigen::VectorXcd Jackknife::error() const {
  const double blocks = double(values_.size());
  Eigen::VectorXcd mean = Eigen::VectorXcd::Zero(values_[0].size());
  for (const auto& value : values_) {
    mean += value / blocks;
  }
  Vector re = Vector::Zero(mean.size());
  Vector im = Vector::Zero(mean.size());
  for (const auto& value : values_) {
    re += (value - mean).real().cwiseAbs2();
    im += (value - mean).imag().cwiseAbs2();
  }
  const double factor = (blocks - 1.0) / blocks;
  Eigen::VectorXcd result(mean.size());
  result.real() = (factor * re).cwiseSqrt();
  result.imag() = (factor * im).cwiseSqrt();
  return result;
}

}  // namespace itomap::detail
