#include "scales/replicates.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include "core/dense_algebra.hpp"
#include "generator/maps.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {
namespace {

using Complex = std::complex<double>;
using ComplexBlock = ComplexMatrix;

constexpr double likeness = 0.5;  // two modes that have mixed evenly overlap by 0.7

ComplexBlock complex_of(const Eigenfunctions& f) {
  ComplexBlock z = f.re.cast<Complex>();
  if (!f.is_real()) {
    z.imag() = f.im;
  }
  return z;
}

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
Matrix overlap_of_kinds(const ComplexBlock& overlap, const Eigen::VectorXcd& rows, const Eigen::VectorXcd& columns) {
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
Solution with_whole_pairs(const Solution& s) {
  const Index last = s.lambda.size() - 1;
  if (kind(s.lambda[last]) == 0 || (last > 0 && s.lambda[last - 1] == std::conj(s.lambda[last]))) {
    return s;
  }
  Solution whole = s;
  whole.psi.conservativeResize(Eigen::NoChange, last + 2);
  whole.phi.conservativeResize(Eigen::NoChange, last + 2);
  whole.lambda.conservativeResize(last + 2);
  whole.psi.col(last + 1) = s.psi.col(last).conjugate();
  whole.phi.col(last + 1) = s.phi.col(last).conjugate();
  whole.lambda[last + 1] = std::conj(s.lambda[last]);
  return whole;
}

PartModes leading(PartModes modes, Index count) {
  if (modes.lambda.size() == count) {
    return modes;
  }
  return {modes.lambda.head(count), modes.psi.leftCols(count), modes.phi.leftCols(count)};
}

template <class Product>
ComplexBlock applied(const Product& product, const ComplexBlock& f) {
  ComplexBlock image = product(Block(f.real())).template cast<Complex>();
  if (f.imag().cwiseAbs().maxCoeff() > 0.0) {
    image += Complex(0, 1) * product(Block(f.imag())).template cast<Complex>();
  }
  return image;
}

/// A unit factor for each mode that makes its overlap with that of `leading` positive.
void take_phases(const Solution& leading, Solution& other) {
  for (Index n = 0; n < leading.lambda.size(); ++n) {
    const Complex overlap = (leading.phi.col(n).array() * other.psi.col(n).array()).sum();
    const Complex phase = overlap != 0.0 ? std::abs(overlap) / overlap : Complex(1.0);
    other.psi.col(n) *= phase;
    other.phi.col(n) /= phase;
  }
}

/// Unit mean square and the phase of the modes of all, as far as these are on the part.
void scale_as_whole(const Solution& s, const std::vector<Index>& kept, const Generator& part, PartModes& modes) {
  const Vector weights = stationary_of(part, modes);
  for (Index n = 0; n < modes.lambda.size(); ++n) {
    const Eigen::VectorXcd phi = s.phi(kept, n);
    const Complex overlap = (phi.array() * modes.psi.col(n).array()).sum();
    const double size = std::sqrt(std::abs(weights.dot(modes.psi.col(n).cwiseAbs2())));
    const Complex scale = overlap != 0.0 ? std::abs(overlap) / (overlap * size) : Complex(1.0 / size);
    modes.psi.col(n) *= scale;
    modes.phi.col(n) /= scale;
  }
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
  return {map, g.epsilon, complex_of(s.eigenfunctions), complex_of(s.left_eigenfunctions), s.eigenvalues};
}

std::vector<Index> reorder(const Solution& leading, Solution& other) {
  const Matrix overlap = overlap_of_kinds(leading.phi.transpose() * other.psi, leading.lambda, other.lambda);
  const std::vector<Index> order = best_matches(overlap);
  other.psi = ComplexBlock(other.psi(Eigen::all, order));
  other.phi = ComplexBlock(other.phi(Eigen::all, order));
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
  const Vector weights = modes.phi.col(0).real();
  return weights / weights.sum();
}

PartModes part_modes(const Solution& solution, const Generator& part, const std::vector<Index>& rows, int steps) {
  const std::vector<Index> kept = kept_of(part, rows);
  const Solution s = with_whole_pairs(solution);
  ComplexBlock right = s.psi(kept, Eigen::all);
  ComplexBlock left = s.phi(kept, Eigen::all);
  for (int step = 0; step < steps; ++step) {
    right = applied([&](const Block& f) { return part.markov(f); }, right);
    if (!part.reversible) {
      left = applied([&](const Block& w) { return part.markov_transpose(w); }, left);
    }
  }
  if (part.reversible && steps > 0) {
    left = part.reversible_stationary().cast<Complex>().asDiagonal() * right;
  }
  const ComplexBlock image = applied([&](const Block& f) { return part.markov(f); }, right);
  const GeneralEigen pairs = general_pairs(solved(ComplexBlock(left.transpose() * right), left.transpose() * image));
  const std::vector<Index> places = places_of(pairs, s.lambda);
  const Eigen::VectorXcd mu = pairs.values(places);
  const ComplexBlock vectors = pairs.vectors(Eigen::all, places);
  PartModes modes{(mu.array() - 1.0) / part.time_step(), image * vectors, {}};
  const auto identity = ComplexBlock::Identity(mu.size(), mu.size());
  modes.phi = left * solved(ComplexBlock(left.transpose() * modes.psi), identity).transpose();
  scale_as_whole(s, kept, part, modes);
  return leading(modes, solution.lambda.size());
}

Eigen::VectorXcd projected_values(const Solution& s, const Generator& part, const std::vector<Index>& rows) {
  return part_modes(s, part, rows, 0).lambda;
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
