// Seeded samples that deliberately do not follow the target: skewed, truncated, at another temperature.
//
// The random numbers are our own (SplitMix64, Box-Muller), so that a seed means the same points with every compiler.
// Samples are confined to a region that the target hardly leaves: a lone point in a tail would add a spurious slow
// mode, which is another test's subject.
#pragma once

#include <cstdint>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::samples {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits();
  double uniform();  ///< in [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();
  Index below(Index n) { return Index(uniform() * double(n)); }

 private:
  std::uint64_t state_;
};

/// Independent standard normal entries.
Points normal(Index rows, Index cols, std::uint64_t seed);

/// In the ball of the given radius: half of the points uniform, half from a narrower Gaussian off the centre.
Points skewed_ball(Index m, Index dimension, double radius, std::uint64_t seed);

/// Angles with density proportional to 1 + 0.7 cos(t), in [0, 2 pi).
Vector skewed_angles(Index m, std::uint64_t seed);
/// Points of the unit circle at angles t.
Points on_circle(VectorView angles);
/// Points of the flat torus in R^4, from an m x 2 array of angles.
Points on_flat_torus(PointsView angles);
/// m x 2 skewed angles.
Points skewed_torus(Index m, std::uint64_t seed);
/// Points of the unit sphere with density proportional to 1 + 0.7 z.
Points skewed_sphere(Index m, std::uint64_t seed);

/// The double well where U < `energy`, hotter than any target we use and with more points on the right.
Points hot_double_well(Index m, double energy, std::uint64_t seed);

/// The angle t below which the density (1 + a cos(t - shift)) / 2 pi has the share `quantile` in [0, 1).
double angle_at_quantile(double quantile, double a, double shift);
/// n angles t_k with density exactly (1 + a cos(t - shift)) / 2 pi: the quantiles of a regular grid. Sums over them are
/// the trapezoidal rule for a smooth periodic integrand, exact to rounding once the grid resolves it: a sample
/// without noise.
Vector quantile_angles(Index n, double a, double shift);
/// All pairs of one angle of `first` and one of `second`, as an m x 2 array.
Points lattice(VectorView first, VectorView second);

}  // namespace itomap::samples
