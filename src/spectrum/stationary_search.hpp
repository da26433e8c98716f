// The stationary distribution of a map that is not reversible: the left vectors of mu = 1, one for each component.
#pragma once

#include "generator/generator.hpp"
#include "spectrum/side_search.hpp"

namespace itomap::detail {

/// What the stationary distribution of each component is scaled to. Weights between components are not determined by
/// the generator: each counts by its number of points, but for those where nothing moves.
Vector component_shares(const Generator& generator);

class StationarySearch {
 public:
  /// `transpose`: P^T; `small_stationary`: the distributions of the small components. All but the last must outlive it.
  StationarySearch(const Generator& generator, const SmallComponents& small, const LinearOperator& transpose,
                   const Vector& shares, Vector small_stationary);

  /// Of every component, in one vector, from what the left side has found, which is solved again more sharply, a few
  /// times at most, where that is not enough.
  Vector run(SideSearch& left, SubspaceOptions options, double tolerance);

  /// The smallest share of a large component: errors of its distribution grow by the inverse of it.
  double lightest_share() const;

 private:
  Vector covering(SideSearch& left, SubspaceOptions options, double told_apart) const;
  Vector heaviest_parts(const Block& vectors) const;
  Index uncovered(const Vector& phi) const;
  Vector scaled(const Vector& large) const;
  double residual(const Vector& phi) const;

  const Generator& g_;
  const SmallComponents& small_;
  const LinearOperator& transpose_;
  const Vector& shares_;
  Vector small_stationary_;
};

}  // namespace itomap::detail
