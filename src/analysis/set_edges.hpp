// Edges of sets where the process meets them, though the chain looks at the sets once a step only.
//
// Between two looks a path may touch a set B and leave it again. To the chain the edge of B therefore recedes, by 0.58
// (2 epsilon)^1/2: an error of that order in committors and passage times. The share of a step that ends in the set,
// g = P 1_B, tells how far away from its edge a point is (half_space.hpp), and steps between points outside, weighted
// as
//
//   M_ij = t_i P_ij t_j,        t the absorbing weight of a half space at the distance of the point,
//
// leave the linear function alone that vanishes at the edge, as the process does that ends there: at a flat edge errors
// are O(epsilon), point by point. What M lacks of row sums 1 ends in the sets. M is symmetric in the stationary weights
// if P is.
//
// A set that is narrower than a kernel has no edge to speak of: its points have less than half of their own steps in
// it. By as much less the weights differ from 1.
// Nor are they larger than 1, as they would be by 0.003 at most, some way off: rows of M sum to 1 at most, whatever the
// points.
#pragma once

#include "solvers/iteration.hpp"

namespace itomap::detail {

/// t at all points for one set, given as 0 or 1 at the points; 0 on the set itself. With `sharp` false, 1 outside.
Vector edge_weights(const Apply& markov, const Vector& set, bool sharp);

/// Steps from the points between two sets.
struct StepsBetween {
  Vector weights;      ///< t, 0 elsewhere
  Vector into_source;  ///< what ends in the source, a share of a step
  Vector into_sink;
};

/// `between` is 1 at these points, 0 elsewhere; `weights` are the product of those of both sets. What these take from
/// the steps at a point ends in the sink to the share `to_sink`, and in the source else.
StepsBetween steps_between(const Apply& markov, const Vector& source, const Vector& sink, const Vector& between,
                           const Vector& weights, const Vector& to_sink);

}  // namespace itomap::detail
