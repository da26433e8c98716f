// Local kernels: P is not symmetric, so right and left eigenvectors are found one after the other and paired.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/stopwatch.hpp"
#include "itomap/core/error.hpp"
#include "solvers/orthogonal.hpp"
#include "spectrum/components.hpp"
#include "spectrum/paired_sides.hpp"
#include "spectrum/side_search.hpp"
#include "spectrum/small_components.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {
namespace {

using Condensed = std::shared_ptr<const CondensedOperator>;

LinearOperator markov_operator(const Generator& g, bool transpose, const Condensed& condensed, double& seconds) {
  const auto apply = [&g, transpose, &seconds](PointsView x) -> Block {
    const Stopwatch watch(seconds);
    return transpose ? g.markov_transpose(x) : g.markov(x);
  };
  return {g.size(), false, apply, g.kernel->engine() == Engine::Grid, {}, condensed, transpose};
}

/// A left eigenvector of mu = 1 is positive where the process returns to: absolute values and a step of P^T remove what
/// rounding has made negative.
Vector positive(const Generator& g, const Vector& left, Index& products) {
  ++products;
  return g.markov_transpose(left.cwiseAbs()).col(0).cwiseMax(0.0);  // sums on a grid may be off by its last digits
}

/// 1 for the points of the process, 0 for those that see nothing but traps and stay where they are.
Vector moving(const Generator& g) {
  return g.pace.size() == 0 ? Vector(Vector::Ones(g.size())) : Vector((g.pace.array() > 0.0).cast<double>());
}

/// Weights between components are not determined by the generator: each counts by its number of points.
Vector component_shares(const Generator& g) {
  const Vector points = moving(g);
  return component_sums(points / points.sum(), g.component, g.diagnostics.components);
}

/// Each component's stationary distribution scaled to its share; a component where it is lost keeps equal weights.
Vector balanced(const Generator& g, const Vector& weights, const Vector& shares) {
  const Vector sums = component_sums(weights, g.component, g.diagnostics.components);
  Vector result(weights.size());
  for (Index i = 0; i < weights.size(); ++i) {
    const Index c = g.component[i];
    result[i] = sums[c] > 0.0 ? weights[i] / sums[c] * shares[c] : 1.0 / double(g.size());
  }
  return result;
}

/// A right and a left eigenvector.
struct TwoSided {
  ComplexVector psi;
  ComplexVector phi;
};

/// A stationary distribution of a small Markov matrix: of all its left vectors of mu = 1, each of one sign wherever the
/// process may end.
Vector fixed_distribution(const Matrix& p) {
  const Index n = p.rows();
  const Matrix moved = (p - Matrix::Identity(n, n)).transpose();
  Index ends = 1;
  while (ends < n && (moved * null_vectors(moved, ends + 1)).norm() < 1e-12) {
    ++ends;
  }
  const Vector sum = null_vectors(moved, ends).cwiseAbs().rowwise().sum();
  return sum / sum.sum();
}

/// A mode of a small component other than its zero mode, by its values at the component's points.
struct SmallMode {
  std::complex<double> mu;
  const std::vector<Index>* points;
  TwoSided vectors;
};

/// A point that is hard to leave shows in the left vector, even where it weighs so much that the product of both sides
/// is spread over all the others.
double carrying_points(const TwoSided& mode) {
  const Vector left = mode.phi.cwiseAbs();
  return std::min(effective_points(left), effective_points(left.cwiseProduct(mode.psi.cwiseAbs())));
}

/// The modes of a map that is not reversible: zero modes of components, modes of small components, solved directly, and
/// what the solver finds on the rest of the points, on both sides.
class GeneralModes {
 public:
  GeneralModes(const Generator& g, const EigenpairsOptions& options, Spectrum& spectrum)
      : g_(g),
        options_(options),
        spectrum_(spectrum),
        asked_(options.count + 1),
        small_(g.component, g.diagnostics.components, fewest_points(options.spurious_error)),
        large_(g.diagnostics.components - small_.count()),
        shares_(component_shares(g)),
        components_((shares_.array() > 0.0).count()),
        zero_modes_(component_modes(shares_.cwiseSqrt(), small_.order(shares_),
                                    std::min(asked_ + most_spurious(asked_), components_))),
        reporter_("eigenpairs"),
        condensed_(g.kernel->condensed(small_.cleared(g.row_sums.cwiseInverse()), small_.cleared(g.right_weights),
                                       small_rows_elsewhere())) {
    spectrum.condensed_size = condensed_ ? condensed_->size() : 0;
    solve_small_components();
    search();
  }

  /// Those to return, leading first.
  std::vector<KnownMode> chosen() {
    return chosen_modes(known_modes(), asked_, components_ - zero_modes_.cols(), spectrum_);
  }

  TwoSided vectors(const KnownMode& mode) const {
    if (mode.kind == KnownMode::Kind::Zero) {
      return zero_mode(mode.n);
    }
    if (mode.kind == KnownMode::Kind::Solved) {
      return solved_mode(mode.n);
    }
    const SmallMode& small = small_modes_[std::size_t(mode.n)];
    TwoSided all{ComplexVector::Zero(g_.size()), ComplexVector::Zero(g_.size())};
    all.psi(*small.points) = small.vectors.psi;
    all.phi(*small.points) = small.vectors.phi;
    return all;
  }

  double residual(const KnownMode& mode) const {
    return mode.kind == KnownMode::Kind::Solved ? pairs_.residuals[mode.n] : 0.0;
  }

  bool complete() const { return complete_; }

 private:
  SideSearch side(bool transpose, Block known) const {
    return {small_, markov_operator(g_, transpose, condensed_, spectrum_.product_seconds), std::move(known)};
  }

  void solve_small_components() {
    small_stationary_ = Vector::Zero(g_.size());
    if (small_.none()) {
      return;
    }
    const auto matrices = small_.matrices(markov_operator(g_, false, nullptr, spectrum_.product_seconds));
    for (std::size_t c = 0; c < matrices.size(); ++c) {
      add_small_modes(small_.members()[c], matrices[c]);
      spectrum_.products = std::max(spectrum_.products, matrices[c].cols());
    }
  }

  void add_small_modes(const std::vector<Index>& points, const Matrix& p) {
    const Vector phi = fixed_distribution(p);
    small_stationary_(points) = phi;
    // The zero mode, psi = 1 and phi, moved from mu = 1 to -2, where no other is: what remains is biorthogonal to it,
    // even where the component may end in several places and mu = 1 occurs again.
    const Matrix rest = p - 3.0 * Vector::Ones(p.rows()) * phi.transpose();
    const GeneralEigen pairs = general_pairs(rest);
    const ComplexMatrix left =
        solved(pairs.vectors, ComplexMatrix::Identity(p.rows(), p.cols())).transpose();  // biorthonormal columns
    // Vectors of a defective matrix have no left sides, whatever comes out for them.
    const ComplexMatrix defect = rest.transpose() * left - left * pairs.values.asDiagonal();
    for (Index n = 0; n < pairs.values.size(); ++n) {
      const bool two_sided = defect.col(n).norm() < options_.tolerance * left.col(n).norm();
      if (two_sided && pairs.values[n].real() > -1.5) {
        small_modes_.push_back({pairs.values[n], &points, {pairs.vectors.col(n), left.col(n)}});
      }
    }
  }

  /// The stationary distribution of every component, in one vector.
  void set_stationary(const Vector& large) {
    spectrum_.stationary =
        balanced(g_, small_.cleared(positive(g_, large, spectrum_.products)) + small_stationary_, shares_);
  }

  SubspaceOptions solver_options(Index wanted) { return subspace_options(options_, wanted, reporter_); }

  /// Rows that the kernel computes by themselves, but for those of small components.
  std::vector<Index> small_rows_elsewhere() const {
    std::vector<Index> rows = g_.small_rows;
    std::erase_if(rows, [this](Index i) { return small_.is_small(g_.component[std::size_t(i)]); });
    return rows;
  }

  /// Points of large components: as many modes as these have.
  Index rest() const { return g_.size() - small_.points(); }

  /// Two more on the left than on the right: which of two equal eigenvalues comes last is a matter of rounding.
  Index with_two_more(Index right) const { return std::min(right + 2, rest()); }

  void catch_up(const SideSearch& right, SideSearch& left, SubspaceOptions options) const {
    options.wanted = with_two_more(right.columns()) - left.columns();
    if (options.wanted > 0) {
      left.extend(options);
    }
  }

  void search() {
    SideSearch left = side(true, Block(g_.size(), 0));
    SubspaceOptions left_options = solver_options(large_ == 1 ? with_two_more(asked_) : large_);
    left_options.start = small_.cleared_rows(Block::Ones(g_.size(), 1));
    left_options.tolerance = std::max(left_options.tolerance * lightest_share(), sharpest);
    left.extend(left_options);
    find_stationary(left, left_options);
    Index missing = asked_ - true_modes(known_modes());
    // Zero modes beyond the room there is for them are all that can be listed.
    if (missing <= 0 || large_ > zero_modes_.cols()) {
      add_counts(left);
      return;
    }
    if (large_ > 1) {
      add_counts(left);
      left = side(true, small_.large_parts(spectrum_.stationary, g_.component));
    }
    SideSearch right = side(false, small_.large_parts(Vector::Ones(g_.size()), g_.component));
    const Index most = std::min(asked_ + most_spurious(asked_), rest());
    bool converged = true;
    while (missing > 0 && right.columns() < most && converged) {
      // Where outliers hide the modes asked for, there are many: as many again as were found, not one round for each.
      const Index wanted = std::max(missing, right.columns() - large_);
      right.extend(solver_options(std::min(wanted, most - right.columns())));
      catch_up(right, left, solver_options(1));
      pair(right, left);
      converged = right.converged() && left.converged();
      missing = asked_ - true_modes(known_modes());
    }
    double tolerance = options_.tolerance;
    for (int again = 0; again < most_sharpenings && converged && worst_residual() > options_.tolerance; ++again) {
      tolerance = sharper(tolerance, options_.tolerance / worst_residual());
      sharpen(right, left, tolerance);
      pair(right, left);
      converged = right.converged() && left.converged();
    }
    add_counts(right);
    add_counts(left);
  }

  /// From what the left side has found, which is solved again more sharply as long as it takes.
  void find_stationary(SideSearch& left, SubspaceOptions options) {
    // Where others come next to it, they are told apart by it, and are no better than it is.
    const double enough = left.zero_mode_is_alone() ? options_.tolerance : told_apart();
    cover_components(left, options);
    for (int again = 0; again < most_sharpenings && left.converged(); ++again) {
      const double residual = stationary_residual();
      if (residual <= enough) {
        return;
      }
      options.tolerance = sharper(options.tolerance, enough / residual);
      left.sharpen(options);
      cover_components(left, options);
    }
  }

  /// By less than this a vector of mu = 1 is moved, unless it is one of an eigenvalue next to it.
  double told_apart() const { return std::max(1e-4 * options_.tolerance, sharpest); }

  /// Takes more left vectors of mu = 1 as long as one of the large components has no part in any: where some may end in
  /// several places, the first of them need not reach all.
  void cover_components(SideSearch& left, SubspaceOptions options) {
    while (true) {
      const Vector phi = heaviest_parts(left.fixed_vectors(told_apart()));
      const Vector norms = component_norms(phi, g_.component, g_.diagnostics.components);
      options.wanted = 0;
      for (Index c = 0; c < norms.size(); ++c) {
        options.wanted += !small_.is_small(c) && norms[c] < 1e-6 ? 1 : 0;
      }
      options.wanted = std::min(options.wanted, rest() - left.columns());
      if (options.wanted == 0 || !left.converged()) {
        set_stationary(phi);
        return;
      }
      left.extend(options);
    }
  }

  double stationary_residual() {
    ++spectrum_.products;
    const Vector& phi = spectrum_.stationary;
    return (g_.markov_transpose(phi) - phi).norm() / phi.norm();
  }

  /// Left vectors of mu = 1, one for each large component but in any mixture, as one vector: on every component the one
  /// that has most of it. All are multiples of its stationary distribution there, some of them rounding.
  Vector heaviest_parts(const Block& vectors) const {
    const Index components = g_.diagnostics.components;
    Matrix norms(components, vectors.cols());
    for (Index n = 0; n < vectors.cols(); ++n) {
      norms.col(n) = component_sums(vectors.col(n).cwiseAbs2(), g_.component, components);
    }
    Vector result(g_.size());
    for (Index i = 0; i < g_.size(); ++i) {
      Index heaviest = 0;
      norms.row(g_.component[std::size_t(i)]).maxCoeff(&heaviest);
      result[i] = vectors(i, heaviest);
    }
    return result;
  }

  /// Of the stationary distribution of a large component among all of them: it is scaled up by as much.
  double lightest_share() const {
    double lightest = 1.0;
    for (Index c = 0; c < shares_.size(); ++c) {
      lightest = small_.is_small(c) ? lightest : std::min(lightest, shares_[c]);
    }
    return lightest;
  }

  /// Of the pairs that have both sides.
  double worst_residual() const {
    double worst = 0.0;
    for (Index n = 0; n < pairs_.mu.size(); ++n) {
      if (pairs_.two_sided(n)) {
        worst = std::max({worst, pairs_.residuals[n], pairs_.left_residuals[n]});
      }
    }
    return worst;
  }

  /// Ill-conditioned pairs need smaller residuals on either side than the one they end with together.
  void sharpen(SideSearch& right, SideSearch& left, double tolerance) {
    SubspaceOptions options = solver_options(1);
    options.tolerance = tolerance;
    right.sharpen(options);
    left.sharpen(options);
    catch_up(right, left, options);  // the right side may have come across more
  }

  void add_counts(const SideSearch& side) {
    spectrum_.products += side.products();
    spectrum_.condensed_products += side.condensed_products();
    complete_ = complete_ && side.complete();
  }

  /// Takes over what both sides have found beyond the zero modes, which are known: 1 on each large component, and its
  /// stationary distribution.
  void pair(SideSearch& right, SideSearch& left) {
    const Block psi = small_.large_parts(Vector::Ones(g_.size()), g_.component);
    Block phi = small_.large_parts(spectrum_.stationary, g_.component);
    const Vector products = psi.cwiseProduct(phi).colwise().sum();
    phi *= products.cwiseInverse().asDiagonal();
    pairs_ = paired(right.matrix(), left.matrix(), right.side_beyond(psi, phi), left.side_beyond(phi, psi),
                    options_.tolerance);
    spectrum_.products += pairs_.products;
    spurious_.clear();
    for (Index n = 0; n < pairs_.mu.size(); ++n) {
      spurious_.push_back(spurious(solved_mode(n)));
    }
  }

  bool spurious(const TwoSided& mode) const { return carrying_points(mode) < fewest_points(options_.spurious_error); }

  /// The n-th mode beyond the zero modes.
  TwoSided solved_mode(Index n) const { return {pairs_.psi.col(n), pairs_.phi.col(n)}; }

  TwoSided zero_mode(Index n) const {
    const Vector psi = on_points(zero_modes_.col(n), g_.component);
    return {psi.cast<std::complex<double>>(), spectrum_.stationary.cwiseProduct(psi).cast<std::complex<double>>()};
  }

  std::vector<KnownMode> known_modes() const {
    using Kind = KnownMode::Kind;
    std::vector<KnownMode> modes;
    for (Index n = 0; n < zero_modes_.cols(); ++n) {  // the first is lambda_0, always a true mode
      modes.push_back({Kind::Zero, n, 1.0, n >= large_ || (n > 0 && spurious(zero_mode(n)))});
    }
    for (std::size_t n = 0; n < spurious_.size(); ++n) {
      if (pairs_.two_sided(Index(n))) {
        modes.push_back({Kind::Solved, Index(n), pairs_.mu[Index(n)], spurious_[n]});
      }
    }
    for (std::size_t n = 0; n < small_modes_.size(); ++n) {
      modes.push_back({Kind::Small, Index(n), small_modes_[n].mu, true});
    }
    sort_modes(modes, Index(spurious_.size()) == g_.size() - small_.points() - large_);
    return modes;
  }

  const Generator& g_;
  const EigenpairsOptions& options_;
  Spectrum& spectrum_;
  Index asked_;
  SmallComponents small_;
  Index large_;  // components that are not small
  Vector shares_;
  Index components_;   // of the process
  Matrix zero_modes_;  // on components: the large ones, then the small ones
  Reporter reporter_;
  Condensed condensed_;
  Vector small_stationary_;
  std::vector<SmallMode> small_modes_;
  PairedSides pairs_;  // beyond the zero modes
  std::vector<bool> spurious_;
  bool complete_ = true;
};

Vector left_residuals(const Generator& g, const ComplexMatrix& phi, const Eigen::VectorXcd& mu) {
  const ComplexMatrix image = g.markov_transpose(phi.real()).cast<std::complex<double>>() +
                              std::complex<double>(0, 1) * g.markov_transpose(phi.imag()).cast<std::complex<double>>();
  const ComplexMatrix defect = image - phi * mu.asDiagonal();
  return defect.colwise().norm().cwiseQuotient(phi.colwise().norm()).transpose();
}

/// Unit stationary-weighted mean square and a fixed phase for psi; phi is scaled inversely.
void normalise(TwoSided& mode, const Vector& stationary) {
  const double square = stationary.dot(mode.psi.cwiseAbs2());
  // A mode on points that the process never returns to has no weight at all: plain mean square then.
  const double scale = square > 0.0 ? std::sqrt(square) : mode.psi.norm() / std::sqrt(double(stationary.size()));
  const std::complex<double> factor = fixed_phase(mode.psi) / scale;
  mode.psi *= factor;
  mode.phi /= factor;
}

}  // namespace

Spectrum solve_general(const Generator& g, const EigenpairsOptions& options) {
  Spectrum spectrum;
  GeneralModes modes(g, options, spectrum);
  const auto chosen = modes.chosen();
  const auto count = Index(chosen.size());
  Eigen::VectorXcd mu(count);
  ComplexMatrix phi(g.size(), count);
  for (Block* part : {&spectrum.eigenfunctions.re, &spectrum.eigenfunctions.im}) {
    part->resize(g.size(), count);
  }
  spectrum.residuals.resize(count);
  spectrum.effective_points.resize(count);
  for (Index n = 0; n < count; ++n) {
    const KnownMode& mode = chosen[std::size_t(n)];
    TwoSided vectors = modes.vectors(mode);
    normalise(vectors, spectrum.stationary);
    mu[n] = mode.mu;
    phi.col(n) = vectors.phi;
    spectrum.eigenfunctions.re.col(n) = vectors.psi.real();
    spectrum.eigenfunctions.im.col(n) = vectors.psi.imag();
    spectrum.residuals[n] = modes.residual(mode);
    spectrum.effective_points[n] = carrying_points(vectors);
    if (mode.spurious) {
      spectrum.spurious.push_back(n);
    }
  }
  set_eigenvalues(spectrum, mu, g.time_step());
  spectrum.left_eigenfunctions.re = phi.real();
  spectrum.left_eigenfunctions.im = phi.imag();
  spectrum.left_residuals = left_residuals(g, phi, mu);
  spectrum.products += 2 * count;
  set_status(spectrum, options.tolerance, modes.complete());
  return spectrum;
}

}  // namespace itomap::detail
