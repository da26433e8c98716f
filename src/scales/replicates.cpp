#include "scales/replicates.hpp"

#include <algorithm>
#include <complex>
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

/// mu of each mode n as the eigenvalue of H whose eigenvector is most like the n-th unit vector.
Eigen::VectorXcd matched_values(const ComplexBlock& h) {
  const GeneralEigen pairs = general_pairs(h);
  return pairs.values(best_matches(pairs.vectors.cwiseAbs()));
}

/// The points of the whole that are in a part: some that lost their last neighbour may have been dropped.
std::vector<Index> kept_of(const Generator& part, const std::vector<Index>& rows) {
  std::vector<Index> kept;
  for (const Index i : part.kept) {
    kept.push_back(rows[std::size_t(i)]);
  }
  return kept;
}

/// Modes of close eigenvalues mix, and which of the mixtures is called which is chance: the slower one comes first, as
/// it does in the whole.
void sort_mixed(Eigen::VectorXcd& values, const Matrix& overlap) {
  constexpr double mixed = 0.3;
  for (Index pass = 1; pass < values.size(); ++pass) {
    for (Index n = 1; n + 1 < values.size(); ++n) {
      if (overlap(n, n + 1) > mixed && values[n].real() < values[n + 1].real()) {
        std::swap(values[n], values[n + 1]);
      }
    }
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

std::vector<Index> every_other_block(bool odd, Index blocks, Index points) {
  std::vector<Index> rows;
  for (Index b = odd ? 1 : 0; b < blocks; b += 2) {
    for (Index i = b * points / blocks; i < (b + 1) * points / blocks; ++i) {
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
  return alone;
}

Eigen::VectorXcd projected_values(const Solution& s, const std::vector<Index>& rows) {
  return projected_values(s, build(s.map.subset(rows)), rows);
}

Eigen::VectorXcd projected_values(const Solution& s, const Generator& part, const std::vector<Index>& rows) {
  const std::vector<Index> kept = kept_of(part, rows);
  const ComplexBlock psi = s.psi(kept, Eigen::all);
  const ComplexBlock phi = s.phi(kept, Eigen::all);
  ComplexBlock image = part.markov(Block(psi.real())).cast<Complex>();
  if (psi.imag().cwiseAbs().maxCoeff() > 0.0) {
    image += Complex(0, 1) * part.markov(Block(psi.imag())).cast<Complex>();
  }
  const ComplexBlock gram = phi.transpose() * psi;
  const ComplexBlock h = solved(gram, phi.transpose() * image);
  return (matched_values(h).array() - 1.0) / part.time_step();
}

Eigen::VectorXcd part_values(const Solution& s, const std::vector<Index>& rows) {
  const Generator part = build(s.map.subset(rows));
  const Index modes = s.lambda.size();
  if (part.size() <= modes) {
    return s.lambda;
  }
  const Index count = std::min<Index>(modes + 2, part.size() - 1);
  const Solution own = solution_of(s.map, part, eigenpairs_of(part, {.count = count}));
  const std::vector<Index> kept = kept_of(part, rows);
  // phi sums to the weight of the part, psi is of unit size with the part's own weights
  const double share = double(kept.size()) / double(s.phi.rows());
  const Matrix overlap = overlap_of_kinds(s.phi(kept, Eigen::all).transpose() * own.psi, s.lambda, own.lambda) / share;
  const std::vector<Index> match = best_matches(overlap);
  Eigen::VectorXcd values = s.lambda;
  for (Index n = 0; n < modes; ++n) {
    const Index k = match[std::size_t(n)];
    if (overlap(n, k) >= likeness) {
      values[n] = own.lambda[k];
    }
  }
  sort_mixed(values, overlap(Eigen::all, match));
  const Eigen::VectorXcd found = values;
  for (Index n = 0; n < modes; ++n) {
    values[n] = parted(s.lambda, found, n) ? s.lambda[n] : found[n];
  }
  return values;
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
