#include "spectrum/side_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/dense_algebra.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap::detail {
namespace {

/// Whether mu = 1 is there once, and nothing so close to it that their vectors would mix.
bool alone_at_one(const ComplexVector& mu) {
  constexpr double close = 1e-6;
  return ((mu.array() - 1.0).abs() < close).count() == 1;
}

Index nearest_to_one(const ComplexVector& mu) {
  Index nearest = 0;
  (mu.array() - 1.0).abs().minCoeff(&nearest);
  return nearest;
}

Side without_column(const Side& side, Index column) {
  std::vector<Index> others;
  for (Index n = 0; n < side.mu.size(); ++n) {
    if (n != column) {
      others.push_back(n);
    }
  }
  return {side.mu(others), side.vectors(Eigen::all, others), side.residuals(others)};
}

/// An orthonormal basis of what is left of a space that holds z after its part along z is taken out: x - z w^T x, with
/// w^T z = 1.
Block complement(const Block& basis, const Block& zero, const Block& partner) {
  const Block x = basis - product(zero, inner(partner, basis));
  // Leading eigenvectors of the Gram matrix: which of the columns held z is a matter of chance.
  const SymmetricEigen gram = symmetric_pairs(inner(x, x));
  Block rest = product(x, gram.vectors.rightCols(x.cols() - zero.cols()));
  normalise_columns(rest);
  std::vector<Index> dependent;
  orthonormalise(rest, 0.0, dependent);
  return rest;
}

}  // namespace

void SideSearch::extend(SubspaceOptions options) {
  options.max_products = products_left(options.max_products);
  take(leading_subspace(p_, basis_, options), basis_);
}

void SideSearch::sharpen(SubspaceOptions options) {
  options.max_products = products_left(options.max_products);
  options.wanted = columns() - known_;
  options.start = basis_.rightCols(options.wanted);
  const Block known = basis_.leftCols(known_);
  take(leading_subspace(p_, known, options), known);
}

const Side& SideSearch::side() {
  if (!side_) {
    side_ = ritz_side(p_, basis_);
    products_ += basis_.cols();
  }
  return *side_;
}

bool SideSearch::zero_mode_is_alone() { return alone_at_one(side().mu); }

Side SideSearch::side_beyond(const Block& zero, const Block& partner) {
  if (zero.cols() == 1 && zero_mode_is_alone()) {
    Side beyond = without_column(*side_, nearest_to_one(side_->mu));
    side_.reset();  // two of them at once are a good part of all memory
    return beyond;
  }
  side_.reset();
  products_ += basis_.cols() - zero.cols();
  return ritz_side(p_, complement(basis_, zero, partner));
}

Block SideSearch::fixed_vectors(double tolerance) {
  if (zero_mode_is_alone()) {
    return side_->vectors.col(nearest_to_one(side_->mu)).real();
  }
  const Matrix projected = inner(basis_, p_.apply(basis_));
  products_ += basis_.cols();
  const Matrix moved = projected - Matrix::Identity(projected.rows(), projected.cols());
  const Matrix candidates = null_vectors(moved, basis_.cols());
  const Vector distances = (moved * candidates).colwise().norm();
  const double allowed = std::max(tolerance, 2.0 * distances.minCoeff());
  std::vector<Index> fixed;
  for (Index k = 0; k < distances.size(); ++k) {
    if (distances[k] <= allowed) {
      fixed.push_back(k);
    }
  }
  return product(basis_, candidates(Eigen::all, fixed));
}

void SideSearch::take(const InvariantSubspace& found, const Block& before) {
  basis_ = joined(before, small_->cleared_rows(found.basis));
  side_.reset();
  products_ += found.products;
  condensed_products_ += found.condensed_products;
  complete_ = complete_ && found.complete;
  converged_ = found.converged;
}

Index SideSearch::products_left(Index most) const { return std::max<Index>(most - products_, 1); }

}  // namespace itomap::detail
