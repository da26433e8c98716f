// Variable bandwidth: wide kernels where points are rare, narrow ones where they are dense.
//
// With one epsilon for all, the tails decide: narrow enough for the bulk, the kernel leaves every outlier alone, and
// each lone point is a spurious slow mode. Here the squared width of the kernel at x is epsilon rho(x)^2 with
//
//   rho(x) = r(x)^strength, r(x) the root mean square distance to the k nearest points,
//
// in units in which the geometric mean of rho over the points is 1, so that epsilon keeps its meaning at a typical
// point. Strength 0 is the fixed kernel, 1 gives every point about the same number of neighbours (Berry and Harlim,
// *Variable bandwidth diffusion kernels*, 2016, whose exponent beta is -strength / d). The step of a row takes the time
// epsilon rho^2, which must stay below the time scales of interest: 1/2 is a good compromise.
//
//   reversible maps  K_ij = exp(-|x_i - x_j|^2 (rho_i^-2 + rho_j^-2) / 8 epsilon): the harmonic mean of the squares
//                    instead of Berry and Harlim's rho_i rho_j. The limit is the same, and no outlier reaches across
//                    the cloud. The weights d take another factor rho^-(d+2)/2, q is the kernel sum over rho^d.
//   LKDmap           row i is the local kernel at the time step epsilon rho_i^2.
//
//   const auto map = itomap::target_measure_map(x, log_pi, {.epsilon = 0.01, .bandwidth = {.strength = 0.5}});
#pragma once

#include "itomap/core/distances.hpp"
#include "itomap/core/types.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

struct VariableBandwidth {
  double strength = 0.0;  ///< 0 (fixed) to 1
  Index neighbours = 0;   ///< k; 0: the square root of the number of points, at least 8
  Index dimension = 0;    ///< d, of the manifold that the points lie on; 0: the slope of the kernel sum, rounded: of
                          ///< the map itself, or of the finest where several scales are compared

  bool fixed() const { return strength == 0.0; }
  /// d as given, or an estimate of it, rounded, within the space that the points lie in.
  Index dimension_or(double estimate, Index space_dimension) const;

  /// Throws InvalidArgument that names the member, its value and its range.
  void validate(Index points, Index space_dimension) const;
};

/// rho at `where`, from the points. A place that coincides with a point counts that point as its first neighbour: the
/// same function at the points themselves and at new places.
Vector variable_bandwidth(PointsView points, PointsView where, const VariableBandwidth& bandwidth,
                          const KernelOptions& options = {});
/// The same from distances, of the points to each other and of all places to them. A list must know as many neighbours
/// of each as count.
Vector variable_bandwidth(const Distances& points, const Distances& where, const VariableBandwidth& bandwidth);

}  // namespace itomap
