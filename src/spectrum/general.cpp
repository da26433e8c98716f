// Local kernels: P is not symmetric, so right and left eigenvectors are found one after the other and paired.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/circles.hpp"
#include "core/dense_algebra.hpp"
#include "core/memory.hpp"
#include "generator/assemble.hpp"
#include "solvers/coarse_davidson.hpp"
#include "solvers/coarse_space.hpp"
#include "solvers/condensation.hpp"
#include "solvers/orthogonal.hpp"
#include "spectrum/components.hpp"
#include "spectrum/paired_sides.hpp"
#include "spectrum/side_search.hpp"
#include "spectrum/small_markov.hpp"
#include "spectrum/solve.hpp"
#include "spectrum/stationary_search.hpp"

namespace itomap::detail {
namespace {

LinearOperator markov_operator(const Generator& g, bool transpose) {
  const auto apply = [&g, transpose](PointsView x) -> Block { return transpose ? g.markov_transpose(x) : g.markov(x); };
  return {.size = g.size(), .apply = apply, .cheap = g.kernel->cheap(), .transposed = transpose};
}

/// With so many points for each node of a grid, modes of a few points are rare: on a well of 10^5 points, 5 a node, a
/// coarse space takes longer than filtered Krylov spaces, on 10^6, 8 to 24 a node, it takes a tenth less.
constexpr double points_a_node = 8.0;

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
        p_(counted(markov_operator(g, false), tally_)),
        transpose_(counted(markov_operator(g, true), tally_)),
        small_modes_(small_markov(small_, p_, options.tolerance)) {
    // Without the pace of points that stay: these are small components, which are not in it.
    const auto condensed = g.kernel->condensed(small_.cleared(g.row_sums.cwiseInverse()),
                                               small_.cleared(g.right_weights), small_rows_elsewhere());
    p_.condensed = condensed;
    transpose_.condensed = condensed;
    spectrum.condensed_size = condensed ? condensed->size() : 0;
    set_coarse_spaces();
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
    const SmallMarkovMode& small = small_modes_.modes[std::size_t(mode.n)];
    TwoSided all{ComplexVector::Zero(g_.size()), ComplexVector::Zero(g_.size())};
    all.psi(*small.points) = small.vectors.psi;
    all.phi(*small.points) = small.vectors.phi;
    return all;
  }

  double residual(const KnownMode& mode) const {
    return mode.kind == KnownMode::Kind::Solved ? pairs_.residuals[mode.n] : 0.0;
  }

  Vector left_residuals(const ComplexMatrix& phi, const Eigen::VectorXcd& mu) const {
    ComplexMatrix defect = transpose_.apply(phi.real()) - phi * mu.asDiagonal();
    if (!phi.imag().isZero(0.0)) {
      defect.imag() += transpose_.apply(phi.imag());
    }
    return defect.colwise().norm().cwiseQuotient(phi.colwise().norm()).transpose();
  }

  bool complete() const { return complete_; }
  const ProductTally& tally() const { return tally_; }

 private:
  /// One for the operator that the search begins with, for both of its sides.
  void set_coarse_spaces() {
    const Index wanted = with_two_more(asked_);
    if (!to_be_kept(options_)) {
      return;
    }
    if (p_.condensed != nullptr) {
      set_coarse_nodes(wanted);
    } else if (has_memory_for_coarse(wanted)) {
      p_.coarse = CoarseSpace::build(small_.without(p_), small_.without(transpose_), places(), wanted);
      transpose_.coarse = p_.coarse;
    }
  }

  /// That of the condensed form.
  void set_coarse_nodes(Index wanted) {
    const Places nodes = node_places();
    if (nodes.position.rows() == 0) {
      return;
    }
    const Condensation right(p_);
    const Condensation left(transpose_);
    ProductTally tally;
    const auto space = CoarseSpace::build(counted(right.small(), tally), counted(left.small(), tally), nodes, wanted);
    spectrum_.condensed_products += tally.products;
    // For real values Krylov spaces have filters, and are not held up by modes of a few points.
    const bool many_points = double(g_.size()) >= points_a_node * double(right.small().size);
    if (space != nullptr && (many_points || space->turns(asked_))) {
      p_.condensed_coarse = space;
      transpose_.condensed_coarse = space;
    }
  }

  /// Two bases, and numbers for the bumps and their images: more than a Krylov space takes, which is what was planned
  /// for.
  bool has_memory_for_coarse(Index wanted) const {
    constexpr double bumps_a_point = 80.0;
    const double numbers = 2.0 * double(coarse_basis_size(wanted)) + bumps_a_point;
    const double held = double(g_.kernel->memory());
    const double results = 8.0 * double(wanted) * double(g_.size()) * sizeof(double);
    return held + results + numbers * double(g_.size()) * sizeof(double) < double(memory_budget());
  }

  /// Right vectors are smooth, left ones are smooth multiples of the weights d.
  Places places() const {
    const MapDefinition& d = g_.definition;
    return {on_circles(kept_rows(d.points.view(), g_.kept), d.kernel.period), small_.cleared(Vector::Ones(g_.size())),
            small_.cleared(g_.right_weights)};
  }

  /// The same on the nodes. Unknowns that have no place are in no bump.
  Places node_places() const {
    const CondensedOperator& c = *p_.condensed;
    Places nodes{c.places(), c.condense(small_.cleared(Vector::Ones(g_.size()))),
                 c.condense_transpose(small_.cleared(g_.right_weights))};
    const Index placed = nodes.position.rows();
    const Index others = c.size() - placed;
    nodes.position.conservativeResize(c.size(), Eigen::NoChange);
    nodes.position.bottomRows(others).setZero();
    nodes.right.tail(others).setZero();
    nodes.left.tail(others).setZero();
    return nodes;
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
    SideSearch left(small_, transpose_, Block(g_.size(), 0));
    find_stationary(left);
    // Zero modes beyond the room there is for them are all that can be listed.
    if (missing() <= 0 || large_ > zero_modes_.cols()) {
      conclude(left);
      return;
    }
    if (large_ > 1) {
      conclude(left);
      left = SideSearch(small_, transpose_, small_.large_parts(spectrum_.stationary, g_.component));
    }
    SideSearch right(small_, p_, small_.large_parts(Vector::Ones(g_.size()), g_.component));
    if (find_pairs(right, left)) {
      sharpen_pairs(right, left);
    }
    conclude(right);
    conclude(left);
  }

  void find_stationary(SideSearch& left) {
    StationarySearch stationary(g_, small_, transpose_, shares_, small_modes_.stationary);
    SubspaceOptions options = solver_options(large_ == 1 ? with_two_more(asked_) : large_);
    options.start = small_.cleared_rows(Block::Ones(g_.size(), 1));
    options.tolerance = std::max(options.tolerance * stationary.lightest_share(), sharpest);
    left.extend(options);
    spectrum_.stationary = stationary.run(left, options, options_.tolerance);
  }

  /// True modes that were asked for and are not known yet.
  Index missing() const { return asked_ - true_modes(known_modes()); }

  /// Until none is missing, or there is no end to the spurious ones. Whether both sides have converged.
  bool find_pairs(SideSearch& right, SideSearch& left) {
    const Index most = std::min(asked_ + most_spurious(asked_), rest());
    bool converged = true;
    for (Index due = missing(); due > 0 && right.columns() < most && converged; due = missing()) {
      // Where outliers hide the modes asked for, there are many: as many again as were found, not one round for each.
      const Index wanted = std::max(due, right.columns() - large_);
      right.extend(solver_options(std::min(wanted, most - right.columns())));
      catch_up(right, left, solver_options(0));
      pair(right, left);
      converged = right.converged() && left.converged();
    }
    return converged;
  }

  /// Ill-conditioned pairs need smaller residuals on either side than the one they end with together.
  void sharpen_pairs(SideSearch& right, SideSearch& left) {
    SubspaceOptions options = solver_options(0);
    options.tolerance = options_.tolerance;
    bool converged = true;
    for (int again = 0; again < most_sharpenings && converged && worst_residual() > options_.tolerance; ++again) {
      options.tolerance = sharper(options.tolerance, options_.tolerance / worst_residual());
      right.sharpen(options);
      left.sharpen(options);
      catch_up(right, left, options);  // the right side may have come across more
      pair(right, left);
      converged = right.converged() && left.converged();
    }
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

  void conclude(const SideSearch& side) {
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
    spurious_.clear();
    for (Index n = 0; n < pairs_.mu.size(); ++n) {
      spurious_.push_back(spurious(solved_mode(n)));
    }
  }

  bool spurious(const TwoSided& mode) const {
    return carrying_points(mode.psi, mode.phi) < fewest_points(options_.spurious_error);
  }

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
    for (std::size_t n = 0; n < small_modes_.modes.size(); ++n) {
      modes.push_back({Kind::Small, Index(n), small_modes_.modes[n].mu, true});
    }
    sort_modes(modes, pairs_.mu.size() == rest() - large_);
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
  ProductTally tally_;
  LinearOperator p_;
  LinearOperator transpose_;
  SmallMarkov small_modes_;
  PairedSides pairs_;  // beyond the zero modes
  std::vector<bool> spurious_;
  bool complete_ = true;
};

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
    spectrum.effective_points[n] = carrying_points(vectors.psi, vectors.phi);
    if (mode.spurious) {
      spectrum.spurious.push_back(n);
    }
  }
  set_eigenvalues(spectrum, mu, g.time_step());
  spectrum.left_eigenfunctions.re = phi.real();
  spectrum.left_eigenfunctions.im = phi.imag();
  spectrum.left_residuals = modes.left_residuals(phi, mu);
  spectrum.products = modes.tally().products;
  spectrum.product_seconds = modes.tally().seconds;
  set_status(spectrum, options.tolerance, modes.complete());
  return spectrum;
}

}  // namespace itomap::detail
