// The point cloud all micro benchmarks share.
#pragma once

#include <itomap/itomap.hpp>

namespace bench {

/// m points of a standard normal distribution in N dimensions, the same every time.
itomap::Points normal_points(itomap::Index m, itomap::Index dimension);

/// An epsilon at which a row has about `neighbours` entries above the default cut-off, in the bulk of normal_points.
double epsilon_for(itomap::Index m, itomap::Index dimension, double neighbours);

}  // namespace bench
