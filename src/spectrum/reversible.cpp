// Reversible maps: S = W K W with W = diag(sqrt(d / K d)) is symmetric and P = V S V^-1, so P's eigenfunctions are
// psi = y / root with root = sqrt(d K d) and S y = mu y.

#include <algorithm>

#include "core/scaled_rows.hpp"
#include "spectrum/components.hpp"
#include "spectrum/orthogonal.hpp"
#include "spectrum/projected.hpp"
#include "spectrum/solve.hpp"
#include "spectrum/tails.hpp"

namespace itomap {
namespace {

/// Roots of products, taken apart: the products may underflow where the roots do not.
Vector stationary_root(const Generator& g) {
  const Vector root = g.right_weights.cwiseSqrt().cwiseProduct(g.row_sums.cwiseSqrt());
  return root / root.norm();
}

LinearOperator symmetric_form(const Generator& g, const Vector& scaling) {
  const auto apply = [&g, &scaling](PointsView x) -> Block {
    const Block scaled = scaled_rows(scaling, x, g.threads);
    Block y(x.rows(), x.cols());
    g.kernel->apply(scaled, y);
    scale_rows(scaling, y, g.threads);
    return y;
  };
  return {g.size(), true, g.threads, apply, g.kernel->engine() == Engine::Grid};
}

/// Eigenpairs of S: the zero modes of components first, then what the solver found.
struct SymmetricPairs {
  Vector mu;
  Block y;
  Block psi;
  Vector residuals;
};

void append(SymmetricPairs& pairs, const LinearOperator& s, const Block& basis, Index count, const Vector& root) {
  const Block image = s.apply(basis);
  const ProjectedPairs ritz = projected_pairs(inner(basis, image, s.threads), true);
  const Matrix q = ritz.vectors.real().leftCols(count);
  const Index old = pairs.y.cols();
  pairs.y.conservativeResize(Eigen::NoChange, old + count);
  pairs.psi.conservativeResize(Eigen::NoChange, old + count);
  pairs.mu.conservativeResize(old + count);
  pairs.residuals.conservativeResize(old + count);
  const Block y = product(basis, q, s.threads);
  const Vector mu = ritz.values.real().head(count);
  pairs.y.rightCols(count) = y;
  pairs.psi.rightCols(count) = root.cwiseInverse().asDiagonal() * y;
  pairs.mu.tail(count) = mu;
  const Block defect = product(image, q, s.threads) - y * mu.asDiagonal();
  pairs.residuals.tail(count) = column_norms(defect, s.threads);
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

}  // namespace

Spectrum solve_reversible(const Generator& generator, const EigenpairsOptions& options) {
  const Index count = options.count + 1;
  const Vector root = stationary_root(generator);
  const Vector scaling = generator.right_weights.cwiseQuotient(generator.row_sums).cwiseSqrt();
  const LinearOperator s = symmetric_form(generator, scaling);
  SymmetricPairs pairs = zero_modes(generator, root, count);
  Spectrum spectrum;
  bool complete = true;
  if (pairs.y.cols() < count) {
    Reporter reporter(options.progress, "eigenpairs");
    const Index wanted = count - pairs.y.cols();
    const auto found = leading_subspace(s, pairs.y, subspace_options(options, wanted, reporter));
    append(pairs, s, found.basis, wanted, root);
    spectrum.products = found.products + found.basis.cols();
    complete = found.complete;
  }
  spectrum.stationary = generator.reversible_stationary();
  refine_tails(generator, pairs.mu, spectrum.stationary, pairs.psi, spectrum);
  for (Index n = 0; n < count; ++n) {
    pairs.psi.col(n) *= fixed_phase(pairs.psi.col(n).cast<std::complex<double>>()).real();
  }
  set_eigenvalues(spectrum, pairs.mu.cast<std::complex<double>>(), generator.epsilon);
  spectrum.eigenfunctions = std::move(pairs.psi);
  spectrum.left_eigenfunctions = spectrum.stationary.asDiagonal() * spectrum.eigenfunctions;
  spectrum.residuals = pairs.residuals;
  spectrum.left_residuals = pairs.residuals;
  set_status(spectrum, options.tolerance, complete);
  return spectrum;
}

}  // namespace itomap
