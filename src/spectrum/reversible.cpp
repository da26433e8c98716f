// Reversible maps, solved in symmetric form.

#include <algorithm>
#include <vector>

#include "core/scaled_rows.hpp"
#include "spectrum/components.hpp"
#include "spectrum/orthogonal.hpp"
#include "spectrum/projected.hpp"
#include "spectrum/solve.hpp"
#include "spectrum/symmetric_form.hpp"
#include "spectrum/tails.hpp"

namespace itomap {
namespace {

/// Eigenpairs of S: the zero modes of components first, then what the solver found.
struct SymmetricPairs {
  Vector mu;
  Block y;
  Block psi;
  Vector residuals;
};

/// Rayleigh-Ritz pairs of an invariant subspace, leading first.
SymmetricPairs ritz_pairs(const LinearOperator& s, const Block& basis, const Vector& root) {
  const Block image = s.apply(basis);
  const ProjectedPairs ritz = projected_pairs(inner(basis, image, s.threads), true);
  const Matrix q = ritz.vectors.real();
  SymmetricPairs pairs;
  pairs.mu = ritz.values.real();
  pairs.y = product(basis, q, s.threads);
  pairs.psi = scaled_rows(root.cwiseInverse(), pairs.y, s.threads);
  const Block defect = product(image, q, s.threads) - pairs.y * pairs.mu.asDiagonal();
  pairs.residuals = column_norms(defect, s.threads);
  return pairs;
}

Block joined(const Block& a, const Block& b) {
  Block both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

SymmetricPairs joined(const SymmetricPairs& a, const SymmetricPairs& b) {
  SymmetricPairs both{Vector(a.mu.size() + b.mu.size()), joined(a.y, b.y), joined(a.psi, b.psi),
                      Vector(a.mu.size() + b.mu.size())};
  both.mu << a.mu, b.mu;
  both.residuals << a.residuals, b.residuals;
  return both;
}

void truncate(SymmetricPairs& pairs, Index count) {
  pairs.mu.conservativeResize(count);
  pairs.residuals.conservativeResize(count);
  pairs.y.conservativeResize(Eigen::NoChange, count);
  pairs.psi.conservativeResize(Eigen::NoChange, count);
}

/// The first is lambda_0, always a true mode.
std::vector<bool> spurious_columns(const Block& y, double spurious_error) {
  std::vector<bool> spurious(std::size_t(y.cols()), false);
  for (Index n = 1; n < y.cols(); ++n) {
    spurious[std::size_t(n)] = is_spurious_mode(y.col(n).cwiseAbs2(), spurious_error);
  }
  return spurious;
}

Index true_modes(const Block& y, double spurious_error) {
  const auto spurious = spurious_columns(y, spurious_error);
  return Index(std::count(spurious.begin(), spurious.end(), false));
}

/// As few columns as hold `wanted` true modes; all if there are not so many.
Index columns_with(const Block& y, Index wanted, double spurious_error) {
  const auto spurious = spurious_columns(y, spurious_error);
  Index seen = 0;
  for (Index n = 0; n < y.cols(); ++n) {
    seen += spurious[std::size_t(n)] ? 0 : 1;
    if (seen == wanted) {
      return n + 1;
    }
  }
  return y.cols();
}

SymmetricPairs zero_modes(const Generator& g, const Vector& root, Index count) {
  const Vector sums = component_sums(root.cwiseAbs2(), g.component, g.diagnostics.components);
  const Matrix modes = component_modes(sums.cwiseMax(1e-290), std::min(count, g.diagnostics.components));
  SymmetricPairs pairs;
  pairs.psi = on_points(modes, g.component);
  pairs.y = root.asDiagonal() * pairs.psi;
  for (Index n = 0; n < pairs.y.cols(); ++n) {
    const double norm = pairs.y.col(n).stableNorm();
    pairs.y.col(n) /= norm;
    pairs.psi.col(n) /= norm;
  }
  pairs.mu = Vector::Ones(modes.cols());
  pairs.residuals = Vector::Zero(modes.cols());
  return pairs;
}

/// As many pairs as asked for. If a few of them are spurious, the search goes on until as many are true; where outliers
/// are no exception but the rule, there would be no end to them.
SymmetricPairs leading_pairs(const Generator& g, const LinearOperator& s, const Vector& root,
                             const EigenpairsOptions& options, Spectrum& spectrum, bool& complete) {
  const Index asked = options.count + 1;
  const Index most = std::min(2 * asked, g.size());
  const bool few_points = g.size() < 100 * asked;  // a handful of them is then no exception
  const SymmetricPairs zeros = zero_modes(g, root, asked);
  SymmetricPairs pairs = zeros;
  Block basis(g.size(), 0);
  Reporter reporter(options.progress, "eigenpairs");
  Index missing = asked - zeros.y.cols();
  while (missing > 0) {
    const auto found = leading_subspace(s, pairs.y, subspace_options(options, missing, reporter));
    basis = joined(basis, found.basis);
    pairs = joined(zeros, ritz_pairs(s, basis, root));
    spectrum.products += found.products + basis.cols();
    spectrum.condensed_products += found.condensed_products;
    complete = complete && found.complete;
    missing = asked - true_modes(pairs.y, options.spurious_error);
    const Index spurious = pairs.y.cols() - true_modes(pairs.y, options.spurious_error);
    if (few_points || 3 * spurious >= asked || pairs.y.cols() + missing > most || !found.converged) {
      break;
    }
  }
  const bool all_true_found = missing <= 0;
  truncate(pairs, all_true_found ? columns_with(pairs.y, asked, options.spurious_error) : asked);
  return pairs;
}

}  // namespace

Spectrum solve_reversible(const Generator& generator, const EigenpairsOptions& options) {
  const Vector root = stationary_root(generator);
  const Vector scaling = symmetric_scaling(generator);
  Spectrum spectrum;
  LinearOperator s = symmetric_form(generator, scaling, spectrum.product_seconds);
  s.condensed = generator.kernel->condensed(scaling, scaling, {});
  spectrum.condensed_size = s.condensed ? s.condensed->size() : 0;
  bool complete = true;
  SymmetricPairs pairs = leading_pairs(generator, s, root, options, spectrum, complete);
  const Index count = pairs.y.cols();
  spectrum.stationary = generator.reversible_stationary();
  refine_tails(generator, pairs.mu, spectrum.stationary, pairs.psi, spectrum);
  for (Index n = 0; n < count; ++n) {
    pairs.psi.col(n) *= fixed_phase(pairs.psi.col(n).cast<std::complex<double>>()).real();
  }
  set_eigenvalues(spectrum, pairs.mu.cast<std::complex<double>>(), generator.time_step());
  spectrum.eigenfunctions = std::move(pairs.psi);
  spectrum.left_eigenfunctions = spectrum.stationary.asDiagonal() * spectrum.eigenfunctions;
  spectrum.residuals = pairs.residuals;
  spectrum.left_residuals = pairs.residuals;
  set_status(spectrum, options.tolerance, complete);
  return spectrum;
}

}  // namespace itomap
