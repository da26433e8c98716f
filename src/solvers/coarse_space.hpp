// A coarse space for an operator whose unknowns have places, and a rough inverse of A - theta from it.
//
// Slow modes are smooth: times known scales r and l of the right and left vectors, they are nearly combinations of
// bumps B (bumps.hpp) a few steps of the process wide. Galerkin's matrices
//
//   T = B^T diag(l) A diag(r) B,    M = B^T diag(l r) B,    T y = mu M y
//
// have nearly the leading eigenvalues of A, on the right and on the left at once, and what is not in the space is
// rough, which A itself damps:  (A - theta)^-1 f  ~  r B (T - theta M)^-1 B^T l f  -  (f - r B M^-1 B^T l f).
//
// A takes products with a few dozen vectors to be known on all bumps: those far apart share one.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solvers/bumps.hpp"
#include "solvers/coarse_matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

class CoarseSpace {
 public:
  /// For a search for `wanted` leading pairs of A. Nothing where it would not pay: too few unknowns, or steps so short
  /// in so many dimensions that bumps of their width were too many.
  static std::shared_ptr<const CoarseSpace> build(const LinearOperator& a, const LinearOperator& transpose,
                                                  const Places& places, Index wanted);

  Index size() const { return bumps_.count(); }

  /// Whether any of the leading values is complex: the process turns, and is far from reversible.
  bool turns(Index count) const;

  /// Vectors that span the leading coarse modes of A, or of its transpose, slowest first.
  Block leading(Index count, bool transposed) const;

  /// About (A - theta)^-1 f for each column.
  Block solved(PointsView f, const Shifts& shifts, bool transposed) const;

  /// The same for columns u that are next to leading vectors.
  Block slow_solved(PointsView u, const Shifts& shifts, bool transposed) const;

  /// f without its part in the space.
  Block rough(PointsView f, bool transposed) const;

 private:
  struct Image;

  CoarseSpace(Places places, Bumps bumps) : places_(std::move(places)), bumps_(std::move(bumps)) {}
  void sharpen_left(const std::vector<Image>& images, const LinearOperator& transpose);
  bool set_matrices(const std::vector<Image>& images, Index wanted);
  Matrix reduced(PointsView f, bool transposed) const;
  Block expanded(const Matrix& y, bool transposed) const;

  Places places_;
  Bumps bumps_;
  std::optional<CoarseMatrix> matrix_;
};

}  // namespace itomap::detail
