// Reversible maps, solved in symmetric form.

#include <algorithm>
#include <utility>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"
#include "spectrum/components.hpp"
#include "spectrum/small_components.hpp"
#include "spectrum/solve.hpp"
#include "spectrum/symmetric_form.hpp"
#include "spectrum/tails.hpp"

namespace itomap::detail {
namespace {

/// Eigenpairs of S, S y = mu y with unit y.
struct SymmetricPairs {
  Vector mu;
  Block y;
  Vector residuals;
};

/// image - y diag(mu), in place: a block of functions may be a large part of the memory.
Block defect(Block image, const Block& y, const Vector& mu) {
  parallel_chunks(image.rows(), row_chunk, [&](Index begin, Index end) {
    image.middleRows(begin, end - begin).array() -=
        y.middleRows(begin, end - begin).array().rowwise() * mu.transpose().array();
  });
  return image;
}

/// Rayleigh-Ritz pairs of an invariant subspace, leading first.
SymmetricPairs ritz_pairs(const LinearOperator& s, Block basis) {
  Block image = s.apply(basis);
  const ProjectedPairs ritz = projected_pairs(inner(basis, image), true);
  const Matrix q = ritz.vectors.real();
  rotate(basis, q);
  rotate(image, q);
  SymmetricPairs pairs{ritz.values.real(), std::move(basis), {}};
  pairs.residuals = column_norms(defect(std::move(image), pairs.y, pairs.mu));
  return pairs;
}

/// A mode of a small component other than its zero mode, by its values at the component's points.
struct SmallMode {
  double mu;
  const std::vector<Index>* points;
  Vector y;
};

/// The modes of a reversible map: zero modes of components, which are known exactly, modes of small components, solved
/// directly, and what the solver finds on the rest of the points.
class ReversibleModes {
 public:
  ReversibleModes(const Generator& g, const EigenpairsOptions& options, Spectrum& spectrum)
      : g_(g),
        options_(options),
        spectrum_(spectrum),
        asked_(options.count + 1),
        root_(stationary_root(g)),
        scaling_(symmetric_scaling(g)),
        small_(g.component, g.diagnostics.components, fewest_points(options.spurious_error)),
        large_(g.diagnostics.components - small_.count()),
        s_(counted(symmetric_form(g, scaling_), tally_)) {
    find_zero_modes();
    find_small_modes();
    // Zero modes beyond the room there is for them are all that can be listed.
    if (true_modes(known_modes()) < asked_ && large_ <= zeros_.cols()) {
      search();
    }
  }

  /// Those to return, leading first.
  std::vector<KnownMode> chosen() {
    return chosen_modes(known_modes(), asked_, g_.diagnostics.components - zeros_.cols(), spectrum_);
  }

  /// psi = y / sqrt(phi_0) and phi = y sqrt(phi_0) of the modes, chunk by chunk: their rows lie side by side.
  void set_functions(const std::vector<KnownMode>& modes, Block& psi, Block& phi) const {
    std::vector<Vector> known(modes.size());
    for (std::size_t n = 0; n < modes.size(); ++n) {
      known[n] = modes[n].kind == KnownMode::Kind::Solved ? Vector() : known_y(modes[n]);
    }
    parallel_chunks(g_.size(), row_chunk, [&](Index begin, Index end) {
      const auto rows = Eigen::seqN(begin, end - begin);
      for (std::size_t n = 0; n < modes.size(); ++n) {
        const Vector values = known[n].size() > 0 ? Vector(known[n](rows)) : Vector(solved_.y(rows, modes[n].n));
        psi(rows, Index(n)) = values.cwiseQuotient(root_(rows));
        phi(rows, Index(n)) = values.cwiseProduct(root_(rows));
      }
    });
  }

  double residual(const KnownMode& mode) const {
    return mode.kind == KnownMode::Kind::Solved ? solved_.residuals[mode.n] : 0.0;
  }

  /// Of other functions psi, in the same norm.
  Vector measured_residuals(const Vector& mu, const Block& psi) const {
    constexpr Index block = 4;
    Vector residuals(mu.size());
    for (Index first = 0; first < mu.size(); first += block) {
      const Index count = std::min(block, mu.size() - first);
      Block y = root_.asDiagonal() * psi.middleCols(first, count);
      normalise_columns(y);
      residuals.segment(first, count) = column_norms(defect(s_.apply(y), y, mu.segment(first, count)));
    }
    return residuals;
  }

  /// What the solver found is no longer needed; its memory is.
  void release() { solved_ = {}; }

  bool complete() const { return complete_; }
  const ProductTally& tally() const { return tally_; }

 private:
  void find_zero_modes() {
    const Vector norms = component_norms(root_, g_.component, g_.diagnostics.components);
    const Index count = std::min(asked_ + most_spurious(asked_), g_.diagnostics.components);
    zeros_ = on_points(component_modes(norms, small_.order(norms), count), g_.component);
  }

  void find_small_modes() {
    if (small_.none()) {
      return;
    }
    const auto matrices = small_.matrices(s_);
    for (std::size_t c = 0; c < matrices.size(); ++c) {
      const auto& points = small_.members()[c];
      const Vector part = root_(points);
      const Vector zero = part / part.stableNorm();
      // The zero mode moved from mu = 1 to -2, the first: none of the others is mixed with it, however close to 1.
      const Matrix s = 0.5 * (matrices[c] + matrices[c].transpose()) - 3.0 * zero * zero.transpose();
      const SymmetricEigen pairs = symmetric_pairs(s);
      for (Index n = 1; n < pairs.values.size(); ++n) {
        small_modes_.push_back({pairs.values[n], &points, pairs.vectors.col(n)});
      }
    }
  }

  /// Asks the solver until as many true modes are there as were asked for, or so many spurious ones among them that
  /// there would be no end to them.
  void search() {
    LinearOperator rest = small_.without(s_);
    const Vector rest_scaling = small_.cleared(scaling_);
    rest.condensed = g_.kernel->condensed(rest_scaling, rest_scaling, {});
    rest.rough = rest.condensed || g_.pace.size() > 0 ? nullptr : g_.kernel->roughly_condensed(rest_scaling);
    const auto& few = rest.condensed ? rest.condensed : rest.rough;
    spectrum_.condensed_size = few ? few->size() : 0;
    const Block known = small_.large_parts(root_, g_.component);  // their zero modes
    const Index searched = asked_ + most_searched_spurious(g_, asked_, options_);
    const Index most = std::min(searched, g_.size() - small_.points()) - large_;
    const Index due = asked_ - true_modes(known_modes());
    Index wanted = std::min(due + modes_of_one_point(g_), most);
    Reporter reporter("eigenpairs");
    solved_.y.resize(g_.size(), 0);
    bool converged = true;
    while (converged && wanted > 0) {
      SubspaceOptions options = subspace_options(options_, wanted, reporter);
      if (solved_.y.cols() == 0) {
        options.more = [&](const Block& found) { return still_wanted(found, due, most); };
      }
      InvariantSubspace found = leading_subspace(rest, joined(known, solved_.y), options);
      Block basis = small_.cleared_rows(std::move(found.basis));
      solved_ = ritz_pairs(rest, solved_.y.cols() == 0 ? std::move(basis) : joined(solved_.y, basis));
      spectrum_.condensed_products += found.condensed_products;
      complete_ = complete_ && found.complete;
      converged = found.converged;
      wanted = still_wanted(solved_.y, due, most);
    }
    if (converged && solved_.y.cols() > 0) {
      sharpen(rest, known, reporter);
    }
  }

  /// How many more modes than these to search for, where `due` true ones are needed and there is no room for more than
  /// `most`: if as few of the next are true as of these, that many hold those that are missing.
  Index still_wanted(const Block& y, Index due, Index most) const {
    Index found = 0;
    for (Index n = 0; n < y.cols(); ++n) {
      found += spurious(y.col(n)) ? 0 : 1;
    }
    const Index missing = std::max<Index>(due - found, 0);
    const Index room = std::max<Index>(most - y.cols(), 0);
    return std::min(missing * (y.cols() + 1) / (found + 1), room);
  }

  /// Pairs from several rounds may miss the tolerance together that each of them reached.
  void sharpen(const LinearOperator& rest, const Block& known, Reporter& reporter) {
    SubspaceOptions options = subspace_options(options_, solved_.y.cols(), reporter);
    for (int again = 0; again < most_sharpenings && solved_.residuals.maxCoeff() > options_.tolerance; ++again) {
      options.tolerance = sharper(options.tolerance, options_.tolerance / solved_.residuals.maxCoeff());
      options.start = std::move(solved_.y);
      InvariantSubspace found = leading_subspace(rest, known, options);
      solved_ = ritz_pairs(rest, small_.cleared_rows(std::move(found.basis)));
      spectrum_.condensed_products += found.condensed_products;
    }
  }

  /// Of a mode that the solver did not have to find.
  Vector known_y(const KnownMode& mode) const {
    if (mode.kind == KnownMode::Kind::Zero) {
      return zero_y(mode.n);
    }
    const SmallMode& small = small_modes_[std::size_t(mode.n)];
    Vector y = Vector::Zero(g_.size());
    y(*small.points) = small.y;
    return y;
  }

  bool spurious(const Vector& y) const { return is_spurious_mode(y.cwiseAbs2(), options_.spurious_error); }

  Vector zero_y(Index n) const {
    const Vector y = root_.cwiseProduct(zeros_.col(n));
    return y / y.stableNorm();
  }

  std::vector<KnownMode> known_modes() const {
    using Kind = KnownMode::Kind;
    std::vector<KnownMode> modes;
    for (Index n = 0; n < zeros_.cols(); ++n) {  // the first is lambda_0, always a true mode
      modes.push_back({Kind::Zero, n, 1.0, n >= large_ || (n > 0 && spurious(zero_y(n)))});
    }
    for (Index n = 0; n < solved_.mu.size(); ++n) {
      modes.push_back({Kind::Solved, n, solved_.mu[n], spurious(solved_.y.col(n))});
    }
    for (std::size_t n = 0; n < small_modes_.size(); ++n) {
      modes.push_back({Kind::Small, Index(n), small_modes_[n].mu, true});
    }
    sort_modes(modes, solved_.mu.size() == g_.size() - small_.points() - large_);
    return modes;
  }

  const Generator& g_;
  const EigenpairsOptions& options_;
  Spectrum& spectrum_;
  Index asked_;
  Vector root_;
  Vector scaling_;
  SmallComponents small_;
  Index large_;  // components that are not small
  ProductTally tally_;
  LinearOperator s_;
  Block zeros_;  // psi of the zero modes: of the large components, then of the small ones
  std::vector<SmallMode> small_modes_;
  SymmetricPairs solved_;
  bool complete_ = true;
};

}  // namespace

Spectrum solve_reversible(const Generator& generator, const EigenpairsOptions& options) {
  Spectrum spectrum;
  ReversibleModes modes(generator, options, spectrum);
  const auto chosen = modes.chosen();
  const auto count = Index(chosen.size());
  Vector mu(count);
  std::vector<Index> beyond_zero;
  spectrum.eigenfunctions.re.resize(generator.size(), count);
  spectrum.left_eigenfunctions.re.resize(generator.size(), count);
  spectrum.residuals.resize(count);
  spectrum.effective_points.resize(count);
  for (Index n = 0; n < count; ++n) {
    const KnownMode& mode = chosen[std::size_t(n)];
    mu[n] = mode.mu.real();
    spectrum.residuals[n] = modes.residual(mode);
    if (mode.spurious) {
      spectrum.spurious.push_back(n);
    }
    if (mode.kind != KnownMode::Kind::Zero) {
      beyond_zero.push_back(n);
    }
  }
  modes.set_functions(chosen, spectrum.eigenfunctions.re, spectrum.left_eigenfunctions.re);
  modes.release();
  spectrum.stationary = generator.reversible_stationary();
  refine_tails(
      generator, mu, beyond_zero,
      [&modes](const Vector& values, const Block& psi) { return modes.measured_residuals(values, psi); },
      options.tolerance, spectrum);
  spectrum.products = modes.tally().products;
  spectrum.product_seconds = modes.tally().seconds;
  Eigen::RowVectorXd signs(count);
  for (Index n = 0; n < count; ++n) {
    spectrum.effective_points[n] =
        effective_points(spectrum.left_eigenfunctions.col(n).cwiseProduct(spectrum.eigenfunctions.col(n)));
    signs[n] = fixed_phase(spectrum.eigenfunctions.col(n).cast<std::complex<double>>()).real();
  }
  for (Block* functions : {&spectrum.eigenfunctions.re, &spectrum.left_eigenfunctions.re}) {
    parallel_chunks(functions->rows(), row_chunk, [&](Index begin, Index end) {
      functions->middleRows(begin, end - begin).array().rowwise() *= signs.array();
    });
  }
  spectrum.left_residuals = spectrum.residuals;
  set_eigenvalues(spectrum, mu.cast<std::complex<double>>(), generator.time_step());
  set_status(spectrum, options.tolerance, modes.complete());
  return spectrum;
}

}  // namespace itomap::detail
