// Components of the kernel graph with a handful of points: their modes are solved directly, and kept out of the way.
//
// A mode that lives on fewer than 1 / spurious_error^2 points is flagged, so a component of fewer points has no other.
// There may be thousands of them, lone outliers and far pairs, and each is an exact invariant subspace: a solver that
// met them would spend its products on them, or stop there. Here they are solved as small dense matrices, read off
// products with as few vectors as the largest of them has points, and the solver works on the rest.
#pragma once

#include <vector>

#include "solvers/linear_operator.hpp"

namespace itomap::detail {

class SmallComponents {
 public:
  /// Those with fewer than `fewest_points` points; never the largest of all.
  SmallComponents(const std::vector<Index>& component, Index components, double fewest_points);

  bool none() const { return members_.empty(); }
  Index count() const { return Index(members_.size()); }
  /// Points of each, ascending.
  const std::vector<std::vector<Index>>& members() const { return members_; }
  /// All of their points.
  Index points() const { return points_; }
  bool is_small(Index component) const { return small_[std::size_t(component)]; }

  /// All components: the large ones first, and the heaviest first among each.
  std::vector<Index> order(const Vector& weights) const;

  /// `values` with zeros at their points.
  Vector cleared(Vector values) const;
  Block cleared_rows(Block values) const;

  /// `values` on each of the large components by itself, as unit columns.
  Block large_parts(const Vector& values, const std::vector<Index>& component) const;

  /// A on the rest of the points. Keeps a reference to this object.
  LinearOperator without(LinearOperator a) const;

  /// A on each of them, in the order of members().
  std::vector<Matrix> matrices(const LinearOperator& a) const;

 private:
  std::vector<bool> small_;  // by component
  std::vector<std::vector<Index>> members_;
  Index points_ = 0;
};

}  // namespace itomap::detail
