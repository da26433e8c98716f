#include "blocks/node_modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "blocks/exchange.hpp"
#include "core/crew.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"
#include "spectrum/paired_sides.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {
namespace {

SubspaceOptions node_options(const EigenpairsOptions& options, Index wanted, Reporter& reporter) {
  SubspaceOptions solver = subspace_options(options, wanted, reporter);
  solver.tolerance *= 0.1;  // as where a map in memory is condensed: errors grow a little on the way to the points
  return solver;
}

Block unit_zero_mode(const BlockKernel& kernel) {
  Block zero = kernel.zero_mode();
  normalise_columns(zero);
  return zero;
}

NodeModes reversible_modes(const BlockKernel& kernel, const EigenpairsOptions& options, Index wanted) {
  Reporter reporter("eigenpairs");
  const LinearOperator a = kernel.condensed(false);
  InvariantSubspace found = leading_subspace(a, unit_zero_mode(kernel), node_options(options, wanted, reporter));
  Block image = a.apply(found.basis);
  const ProjectedPairs ritz = projected_pairs(inner(found.basis, image), true);
  const Matrix q = ritz.vectors.real();
  rotate(found.basis, q);
  rotate(image, q);
  NodeModes modes;
  modes.mu = ritz.values;
  modes.products = found.products + found.basis.cols();
  modes.complete = found.converged && found.complete;
  // y = L u has the norm mu^1/2 |u|, and a residual that is L (R L u - mu u).
  const Vector scale = ritz.values.real().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  modes.right_re = found.basis * scale.asDiagonal();
  const Block defect = image * scale.asDiagonal() - modes.right_re * ritz.values.real().asDiagonal();
  modes.residuals = defect.cwiseProduct(a.apply(defect)).colwise().sum().cwiseMax(0.0).cwiseSqrt();
  return modes;
}

/// A U - U diag(mu), real and imaginary parts.
void set_defects(const LinearOperator& a, const ComplexVector& mu, const Block& re, const Block& im, Block& defect_re,
                 Block& defect_im) {
  defect_re = a.apply(re) - re * mu.real().asDiagonal() + im * mu.imag().asDiagonal();
  defect_im = a.apply(im) - im * mu.real().asDiagonal() - re * mu.imag().asDiagonal();
}

NodeModes general_modes(const BlockKernel& kernel, const EigenpairsOptions& options, Index wanted) {
  Reporter reporter("eigenpairs");
  const LinearOperator a = kernel.condensed(false);
  const LinearOperator transpose = kernel.condensed(true);
  const Block zero = unit_zero_mode(kernel);
  const InvariantSubspace right = leading_subspace(a, zero, node_options(options, wanted, reporter));
  // Two more on the left: which of two equal eigenvalues comes last is a matter of rounding.
  const Index on_left = right.basis.cols() + 3;
  const InvariantSubspace left =
      leading_subspace(transpose, Block(a.size, 0), node_options(options, on_left, reporter));
  const PairedSides pairs = paired(a, transpose, ritz_side(a, joined(zero, right.basis)),
                                   ritz_side(transpose, left.basis), options.tolerance);
  const Index count = pairs.mu.size() - 1;
  NodeModes modes;
  modes.products = right.products + left.products + right.basis.cols() + left.basis.cols() + 1;
  modes.complete = right.converged && right.complete && left.converged && left.complete;
  modes.mu = pairs.mu.tail(count);
  modes.right_re = pairs.psi.rightCols(count).real();
  modes.right_im = pairs.psi.rightCols(count).imag();
  const ComplexMatrix phi = pairs.phi.rightCols(count) * modes.mu.cwiseInverse().asDiagonal();
  modes.left_re = phi.real();
  modes.left_im = phi.imag();
  modes.stationary = pairs.phi.leftCols(1).real();
  modes.stationary /= modes.stationary.col(0).dot(kernel.zero_mode().col(0));  // the sum of phi_0
  set_defects(a, modes.mu, modes.right_re, modes.right_im, modes.right_defect_re, modes.right_defect_im);
  set_defects(transpose, modes.mu, modes.left_re, modes.left_im, modes.left_defect_re, modes.left_defect_im);
  modes.residuals = Vector::Zero(count);
  return modes;
}

void share(const Ranks& ranks, NodeModes& modes) {
  std::array<double, 3> head{double(modes.count()), modes.complete ? 1.0 : 0.0, double(modes.products)};
  broadcast(ranks, std::span<double>(head));
  modes.mu.resize(Index(head[0]));
  modes.residuals.resize(Index(head[0]));
  modes.complete = head[1] > 0.0;
  modes.products = Index(head[2]);
  broadcast(ranks, std::span(reinterpret_cast<double*>(modes.mu.data()), 2 * std::size_t(modes.count())));
  broadcast(ranks, std::span<double>(modes.residuals.data(), std::size_t(modes.count())));
  for (Block* block : {&modes.right_re, &modes.right_im, &modes.left_re, &modes.left_im, &modes.right_defect_re,
                       &modes.right_defect_im, &modes.left_defect_re, &modes.left_defect_im, &modes.stationary}) {
    broadcast(ranks, *block);
  }
}

}  // namespace

NodeModes node_modes(const BlockKernel& kernel, const EigenpairsOptions& options, Index wanted, const Ranks& ranks) {
  NodeModes modes;
  if (ranks.first()) {
    const Crew crew;
    modes = kernel.reversible() ? reversible_modes(kernel, options, wanted) : general_modes(kernel, options, wanted);
  }
  if (ranks.size() > 1) {
    share(ranks, modes);
  }
  return modes;
}

}  // namespace itomap::detail
