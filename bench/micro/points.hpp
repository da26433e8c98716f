// The point clouds all micro benchmarks share.
#pragma once

#include <itomap/itomap.hpp>

namespace bench {

/// m points, uniform in the cube [-1, 1]^N, the same every time.
itomap::Points uniform_points(itomap::Index m, itomap::Index dimension);

/// m points of the unit circle in the first two of N coordinates, with Gaussian noise of 0.05 in each.
itomap::Points noisy_circle(itomap::Index m, itomap::Index dimension);

/// m points of the density exp(-U), U = (x^2 - 1)^2 + y^2, |x|, |y| < 2.5.
itomap::Points double_well(itomap::Index m);

/// An epsilon at which a row has about `neighbours` entries above the default cut-off, away from the faces.
double epsilon_for(itomap::Index m, itomap::Index dimension, double neighbours);

}  // namespace bench
