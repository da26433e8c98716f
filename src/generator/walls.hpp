// Where the data ends: what a symmetric kernel and its points tell of walls.
//
// Next to a wall a kernel loses what lies beyond, up to a half of its mass, and the density q = K 1 with it. The mean
// of a point's neighbours is then displaced away from the wall, by so much that its distance can be told, and from the
// distance the share that is lost (half_space.hpp). A slope of the density displaces the mean as well. Both are told
// apart by weights: with v = 1 / q the cloud is even, and only walls are left. Three passes find v,
//
//   v <- v V(b) / (K v),      b from the first and second moments of k v about each point,
//
// beginning with v = 1. On a manifold that is bent the mean is displaced off it, too; only what is along it counts:
// the second moments of k v say where that is. Periodic coordinates have no walls.
//
// Right to O(epsilon) at walls that are flat, curved or meet at a right angle; other corners are approximate. The noise
// of n neighbours displaces the mean by some n^-1/2: what that amounts to on average is taken off.
//
// Cost: three products with N + 2 vectors, and one with N (N + 1) / 2.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

struct Walls {
  Vector volume;     ///< v: 1 / q with all of the kernel's mass
  Vector nearer;     ///< b, in widths (4 epsilon)^1/2 rho_i, to the nearest wall; far_inside where there is none
  Vector farther;    ///< to the next one, in a corner
  Points direction;  ///< unit vectors away from the walls, m x N; 0 where no coordinate is open
  Block tangents;    ///< projections onto the manifold, n x n at each point, for n open coordinates

  /// Points so near to a wall that a sample would notice them: within 0.37 widths.
  Index near() const;
};

/// `kernel` is exp(-r^2 / 4 epsilon), or with r^2 (rho_i^-2 + rho_j^-2) / 2 where rho is not empty, on these points.
Walls find_walls(const KernelOperator& kernel, PointsView points, const std::vector<double>& period, double epsilon,
                 const Vector& bandwidth);

/// The same on some of the points, the rows `rows` of those that `whole` stands for, whose tangents it takes. Nothing
/// else: a jackknife that sets one against the other would take any other difference for one of the points.
Walls find_walls(const KernelOperator& kernel, PointsView points, const std::vector<double>& period, double epsilon,
                 const Vector& bandwidth, const Walls& whole, const std::vector<Index>& rows);

}  // namespace itomap::detail
