#include "spectrum/side_search.hpp"

#include <algorithm>
#include <utility>

#include "core/dense_algebra.hpp"
#include "spectrum/orthogonal.hpp"

namespace itomap {

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

Side SideSearch::take_side() {
  side();
  Side result = std::move(*side_);
  side_.reset();
  return result;
}

Block SideSearch::fixed_vectors(Index dimension) {
  const Matrix projected = inner(basis_, p_.apply(basis_), p_.threads);
  products_ += basis_.cols();
  const Matrix moved = projected - Matrix::Identity(projected.rows(), projected.cols());
  return product(basis_, null_vectors(moved, std::min(dimension, basis_.cols())), p_.threads);
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

}  // namespace itomap
