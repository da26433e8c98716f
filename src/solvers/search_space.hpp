// The space in which a Davidson method looks for eigenvectors: it grows by any directions, not by products alone.
#pragma once

#include <cstdint>

#include "solvers/linear_operator.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {

/// V, A V without its part along what is locked, and the projection V^T A V, which grow together.
class SearchSpace {
 public:
  /// Both must outlive it. `seed`: of the directions that take the place of those that vanish.
  SearchSpace(const LinearOperator& a, PointsView locked, Index capacity, std::uint64_t seed);

  Index size() const { return size_; }
  Index room() const { return capacity_ - size_; }
  Index products() const { return products_; }

  /// Appends directions, made orthonormal to all there is; one that vanishes is replaced by a random one.
  void extend(Block w);

  /// Keeps V q alone, for an orthonormal q.
  void restart(const Matrix& q);

  ProjectedPairs projected() const { return projected_pairs(h_, a_.symmetric); }

  /// V q and A V q.
  Block vectors(const Matrix& q) const;
  Block images(const Matrix& q) const;

 private:
  bool appendable(Block& w);

  const LinearOperator& a_;
  PointsView locked_;
  Index capacity_;
  Index size_ = 0;
  Block v_;
  Block image_;
  Matrix h_;
  std::uint64_t seed_;
  Index products_ = 0;
};

}  // namespace itomap::detail
