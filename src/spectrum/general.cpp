// Local kernels: P is not symmetric, so right and left eigenvectors are found one after the other and paired.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/stopwatch.hpp"
#include "itomap/core/error.hpp"
#include "spectrum/components.hpp"
#include "spectrum/orthogonal.hpp"
#include "spectrum/projected.hpp"
#include "spectrum/solve.hpp"

namespace itomap {
namespace {

/// Eigenvectors of one side: P x = mu x or P^T x = mu x.
struct Side {
  Eigen::VectorXcd mu;
  ComplexMatrix vectors;  // unit columns
  Vector residuals;
  Index products = 0;
  Index condensed_products = 0;
  bool complete = true;
};

using Condensed = std::shared_ptr<const CondensedOperator>;

LinearOperator markov_operator(const Generator& g, bool transpose, const Condensed& condensed, double& seconds) {
  const auto apply = [&g, transpose, &seconds](PointsView x) -> Block {
    const Stopwatch watch(seconds);
    return transpose ? g.markov_transpose(x) : g.markov(x);
  };
  return {g.size(), false, g.threads, apply, g.kernel->engine() == Engine::Grid, {}, condensed, transpose};
}

/// Rayleigh-Ritz on an invariant subspace, with residuals from the vectors themselves.
Side ritz_side(const LinearOperator& p, const Block& basis) {
  const Block image = p.apply(basis);
  const ProjectedPairs ritz = projected_pairs(inner(basis, image, p.threads), false);
  Side side;
  side.mu = ritz.values;
  side.vectors = basis * ritz.vectors;
  side.residuals = (image * ritz.vectors - side.vectors * ritz.values.asDiagonal()).colwise().norm();
  side.products = basis.cols();
  return side;
}

/// `wanted` leading pairs; `zero_modes` are orthonormal and span a part of the eigenspace of mu = 1.
Side solve_side(const LinearOperator& p, const Block& zero_modes, const SubspaceOptions& options) {
  const auto found = leading_subspace(p, zero_modes, options);
  Block basis(p.size, zero_modes.cols() + found.basis.cols());
  basis << zero_modes, found.basis;
  Side side = ritz_side(p, basis);
  side.products += found.products;
  side.condensed_products = found.condensed_products;
  side.complete = found.complete;
  return side;
}

Block orthonormal(Block x, int threads) {
  std::vector<Index> dependent;
  orthonormalise(x, 0.0, threads, dependent);
  return x;
}

/// A left eigenvector of mu = 1 is positive where the process returns to: absolute values and a step of P^T remove what
/// rounding has made negative.
Vector positive(const Generator& g, const Vector& left, Index& products) {
  ++products;
  return g.markov_transpose(left.cwiseAbs()).col(0);
}

/// The stationary distribution of every component, in one vector.
Vector stationary_weights(const Generator& g, const LinearOperator& p, SubspaceOptions options, Spectrum& spectrum) {
  options.wanted = 1;
  options.start = Block::Ones(g.size(), 1);
  const auto found = leading_subspace(p, Block(g.size(), 0), options);
  const Side side = ritz_side(p, found.basis);
  spectrum.products += found.products + side.products;
  spectrum.condensed_products += found.condensed_products;
  return positive(g, side.vectors.col(0).real(), spectrum.products);
}

/// Weights between components are not determined by the generator: each counts by its number of points.
Vector component_shares(const Generator& g) {
  return component_sums(Vector::Constant(g.size(), 1.0 / double(g.size())), g.component, g.diagnostics.components);
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

/// Position in `mu` of the value closest to `value` that is not taken yet.
Index closest(const Eigen::VectorXcd& mu, std::complex<double> value, const std::vector<bool>& taken) {
  Index best = -1;
  for (Index k = 0; k < mu.size(); ++k) {
    if (!taken[k] && (best < 0 || std::abs(mu[k] - value) < std::abs(mu[best] - value))) {
      best = k;
    }
  }
  return best;
}

/// Left vectors in the order of the right ones, biorthonormal to them: phi_m^T psi_n = delta_mn.
ComplexMatrix paired_left(const Side& right, const Side& left) {
  const Index n = right.mu.size();
  std::vector<bool> taken(std::size_t(left.mu.size()), false);
  ComplexMatrix matched(right.vectors.rows(), n);
  for (Index k = 0; k < n; ++k) {
    const Index partner = closest(left.mu, right.mu[k], taken);
    taken[partner] = true;
    matched.col(k) = left.vectors.col(partner);
  }
  const ComplexMatrix gram = matched.transpose() * right.vectors;
  // phi = matched gram^-T; a full solve, because repeated eigenvalues mix among themselves.
  return matched * solved(ComplexMatrix(gram.transpose()), ComplexMatrix::Identity(n, n));
}

Vector left_residuals(const Generator& g, const ComplexMatrix& phi, const Eigen::VectorXcd& mu) {
  const ComplexMatrix image = g.markov_transpose(phi.real()).cast<std::complex<double>>() +
                              std::complex<double>(0, 1) * g.markov_transpose(phi.imag()).cast<std::complex<double>>();
  const ComplexMatrix defect = image - phi * mu.asDiagonal();
  return defect.colwise().norm().cwiseQuotient(phi.colwise().norm()).transpose();
}

/// Unit stationary-weighted mean square and a fixed phase for psi; phi is scaled inversely.
void normalise(Side& right, ComplexMatrix& phi, const Vector& stationary) {
  for (Index n = 0; n < right.mu.size(); ++n) {
    const double square = stationary.dot(right.vectors.col(n).cwiseAbs2());
    // A mode on points that the process never returns to has no weight at all: plain mean square then.
    const double scale = square > 0.0 ? std::sqrt(square) : 1.0 / std::sqrt(double(stationary.size()));
    const std::complex<double> factor = fixed_phase(right.vectors.col(n)) / scale;
    right.vectors.col(n) *= factor;
    phi.col(n) /= factor;
  }
}

/// Puts the zero modes of components, which are known exactly, in front.
void set_zero_modes(const Generator& g, const Matrix& modes, const Vector& stationary, Side& right,
                    ComplexMatrix& phi) {
  const Block psi = on_points(modes, g.component);
  right.mu.head(modes.cols()).setOnes();
  right.vectors.leftCols(modes.cols()) = psi.cast<std::complex<double>>();
  right.residuals.head(modes.cols()).setZero();
  phi.leftCols(modes.cols()) = (stationary.asDiagonal() * psi).cast<std::complex<double>>();
}

void truncate(Side& side, Index count) {
  side.mu.conservativeResize(count);
  side.vectors.conservativeResize(Eigen::NoChange, count);
  side.residuals.conservativeResize(count);
}

}  // namespace

Spectrum solve_general(const Generator& g, const EigenpairsOptions& options) {
  const Index count = options.count + 1;
  Reporter reporter(options.progress, "eigenpairs");
  Spectrum spectrum;
  const Vector shares = component_shares(g);
  const Matrix modes = component_modes(shares, std::min(count, g.diagnostics.components));
  const Block zero_right = on_points(modes, g.component);
  const Index wanted = count - modes.cols();
  const Index room = g.size() - modes.cols();
  // Two more on the left: which of two equal eigenvalues comes last is a matter of rounding.
  const Index wanted_left = std::min(wanted + 2, room);
  const Condensed condensed = g.kernel->condensed(g.row_sums.cwiseInverse(), g.right_weights, g.small_rows);
  spectrum.condensed_size = condensed ? condensed->size() : 0;
  const LinearOperator transpose = markov_operator(g, true, condensed, spectrum.product_seconds);
  Side left;
  if (modes.cols() == 1 && wanted > 0) {
    // One component: its stationary distribution is the first of the left eigenvectors.
    SubspaceOptions left_options = subspace_options(options, wanted_left + 1, reporter);
    left_options.start = Block::Ones(g.size(), 1);
    left = solve_side(transpose, Block(g.size(), 0), left_options);
    spectrum.stationary = balanced(g, positive(g, left.vectors.col(0).real(), spectrum.products), shares);
  } else {
    spectrum.stationary =
        balanced(g, stationary_weights(g, transpose, subspace_options(options, 1, reporter), spectrum), shares);
    if (wanted > 0) {
      const Block zero_left = spectrum.stationary.asDiagonal() * zero_right;
      left = solve_side(transpose, orthonormal(zero_left, g.threads), subspace_options(options, wanted_left, reporter));
    }
  }

  Side right;
  ComplexMatrix phi;
  if (wanted > 0) {
    right = solve_side(markov_operator(g, false, condensed, spectrum.product_seconds),
                       orthonormal(zero_right, g.threads), subspace_options(options, wanted, reporter));
    truncate(right, std::min(count, right.mu.size()));
    phi = paired_left(right, left);
    spectrum.products += right.products + left.products;
    spectrum.condensed_products += right.condensed_products + left.condensed_products;
    right.complete = right.complete && left.complete;
  } else {
    right.mu.resize(count);
    right.vectors.resize(g.size(), count);
    right.residuals.resize(count);
    phi.resize(g.size(), count);
  }
  set_zero_modes(g, modes, spectrum.stationary, right, phi);
  normalise(right, phi, spectrum.stationary);
  set_eigenvalues(spectrum, right.mu, g.time_step());
  spectrum.eigenfunctions = right.vectors.real();
  spectrum.eigenfunctions_imag = right.vectors.imag();
  spectrum.left_eigenfunctions = phi.real();
  spectrum.left_eigenfunctions_imag = phi.imag();
  spectrum.residuals = right.residuals;
  spectrum.left_residuals = left_residuals(g, phi, right.mu);
  spectrum.products += 2 * count;
  set_status(spectrum, options.tolerance, right.complete);
  return spectrum;
}

}  // namespace itomap
