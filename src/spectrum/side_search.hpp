// The search for the eigenvectors of one side of a general matrix, which can go on where it ended.
#pragma once

#include <optional>
#include <utility>

#include "solvers/invariant_subspace.hpp"
#include "spectrum/paired_sides.hpp"
#include "spectrum/small_components.hpp"

namespace itomap::detail {

class SideSearch {
 public:
  /// Works on P, or P^T, without the small components. `known` is orthonormal and spans a part of the eigenspace of
  /// mu = 1.
  SideSearch(const SmallComponents& small, const LinearOperator& p, Block known)
      : small_(&small), p_(small.without(p)), known_(known.cols()), basis_(std::move(known)) {}

  /// `wanted` more leading pairs.
  void extend(SubspaceOptions options);
  /// The same pairs again, to a sharper tolerance.
  void sharpen(SubspaceOptions options);

  /// Whether mu = 1 was found once, and nothing next to it.
  bool zero_mode_is_alone();

  /// All pairs found so far beyond the zero modes, which are among them: this side's vectors `zero` and the other
  /// side's `partner`, biorthonormal. Vectors of eigenvalues next to 1 would mix with them.
  Side side_beyond(const Block& zero, const Block& partner);

  /// Orthonormal vectors of the eigenspace of mu = 1, of those found so far: what P moves by no more than the
  /// tolerance, and one at least. Eigenvectors would not do: those of a repeated eigenvalue may be next to parallel.
  Block fixed_vectors(double tolerance);

  const LinearOperator& matrix() const { return p_; }
  Index columns() const { return basis_.cols(); }
  bool converged() const { return converged_; }
  bool complete() const { return complete_; }
  Index condensed_products() const { return condensed_products_; }

 private:
  const Side& side();
  void take(const InvariantSubspace& found, const Block& before);
  Index products_left(Index most) const;

  const SmallComponents* small_;
  LinearOperator p_;
  Index known_;
  Block basis_;
  std::optional<Side> side_;
  Index products_ = 0;  // of those allowed
  Index condensed_products_ = 0;
  bool converged_ = true;
  bool complete_ = true;
};

}  // namespace itomap::detail
