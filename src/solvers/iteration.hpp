// Linear systems (I - D T D) x = b, D = diag(inside): on a part of the points, x = 0 elsewhere, by products with T
// alone.
//
// An iteration does not call for products: it says which vector it wants multiplied and takes the result. Systems with
// different regions thus advance side by side, each product being one with a block, which costs a kernel little more
// than one with a vector.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/reporter.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

using Apply = std::function<Block(PointsView)>;

/// One system. `inside` is 0 where x = b is known, mostly 0, and 1 or another weight at the unknowns.
struct RegionSystem {
  Vector inside;
  Vector b;
};

/// Functions among which the error of slow convergence lies, and what I - D T D makes of them.
struct Deflation {
  Block basis;  ///< orthonormal, 0 outside
  Block image;
};

/// Restricts the functions to the region; those that depend on others there are left out.
Deflation deflation(const Apply& apply, const Vector& inside, PointsView functions);

class Iteration {
 public:
  virtual ~Iteration() = default;
  /// Converged, or at an end.
  virtual bool finished() const = 0;
  /// What is to be multiplied by T next; 0 outside the region, and weighted.
  virtual const Vector& direction() const = 0;
  virtual void advance(VectorView product) = 0;
  virtual const Vector& solution() const = 0;
};

/// Conjugate gradients for a symmetric T, preconditioned by the diagonal of I - T, until |r| <= tolerance |b| in the
/// Euclidean norm. The deflation's functions are solved for exactly at the start, and all directions are conjugate to
/// them.
std::unique_ptr<Iteration> conjugate_gradients(const RegionSystem& system, const Vector& diagonal, Deflation deflation,
                                               double tolerance);

/// Generalised conjugate residuals, GMRES in another form, from `start`, until max |r| <= tolerance max |b|. The
/// images of the deflation's functions stay in the basis when it is cut back to `restart` vectors less.
std::unique_ptr<Iteration> conjugate_residuals(const RegionSystem& system, const Vector& start, VectorView residual,
                                               const Deflation& deflation, double tolerance);

/// Products for all until each is finished or has had `most_steps`; returns how many each has had.
std::vector<Index> advance_together(const Apply& apply, const std::vector<std::unique_ptr<Iteration>>& iterations,
                                    Index most_steps, Reporter& reporter);

}  // namespace itomap::detail
