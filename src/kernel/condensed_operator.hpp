// A scaled kernel in few unknowns, with the same eigenvalues.
//
// Where a kernel is smooth on the scale of the data, its matrix has a low rank:  A = diag(l) K diag(r) = L R  with L
// m x n, R n x m and n much smaller than m. The n x n matrix R L has the eigenvalues of A except for zeros, and
//
//   R L u = mu u   =>   A (L u) = mu (L u),        (R L)^T v = mu v   =>   A^T (R^T v) = mu (R^T v).
//
// Eigenvectors of A are thus found without touching the points again until the last step.
#pragma once

#include <cstddef>

#include "itomap/core/types.hpp"

namespace itomap::detail {

class CondensedOperator {
 public:
  virtual ~CondensedOperator() = default;

  /// n.
  virtual Index size() const = 0;
  /// Bytes held.
  virtual std::size_t memory() const = 0;

  /// Where unknowns lie, in coordinates in which the kernel is equally wide in all directions: the first of them, one a
  /// row, as many as have a place.
  virtual Points places() const { return {}; }

  /// V = R L U and V = (R L)^T U for blocks of vectors.
  virtual void apply(PointsView u, Eigen::Ref<Block> v) const = 0;
  virtual void apply_transpose(PointsView u, Eigen::Ref<Block> v) const = 0;

  /// To the points: L U and R^T U.
  virtual Block expand(PointsView u) const = 0;
  virtual Block expand_transpose(PointsView u) const = 0;

  /// From the points: R F and L^T F.
  virtual Block condense(PointsView f) const = 0;
  virtual Block condense_transpose(PointsView f) const = 0;
};

}  // namespace itomap::detail
