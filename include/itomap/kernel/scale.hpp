// A length scale from the data alone.
//
// The sum of all kernel values, S(epsilon) = sum_ij exp(-|x_i - x_j|^2 / 4 epsilon), grows like epsilon^(d/2) where the
// kernel is wider than the spacing of the points and narrower than the data. The scale of steepest growth in log-log is
// the classical choice (Coifman, Shkolnisky, Sigworth, Singer 2008; Berry and Harlim 2016), and twice that slope
// estimates the intrinsic dimension d.
//
//   itomap::select_scale(points).epsilon
#pragma once

#include "itomap/core/types.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

struct ScaleSelection {
  double epsilon = 0.0;
  double intrinsic_dimension = 0.0;
};

/// Looks at all pairs of up to a few thousand points, spread evenly over the rows. Throws InvalidArgument if all points
/// coincide.
ScaleSelection select_scale(PointsView points, const KernelOptions& options = {});

}  // namespace itomap
