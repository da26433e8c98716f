// Length scales from the points alone.
//
// The sum of all kernel values, S(epsilon) = sum_ij exp(-|x_i - x_j|^2 / 4 epsilon), grows like epsilon^(d/2) where the
// kernel is wider than the spacing of the points and narrower than the data. The scale of steepest growth in log-log is
// the classical choice (Coifman, Shkolnisky, Sigworth, Singer 2008; Berry and Harlim 2016), and twice that slope
// estimates the intrinsic dimension d.
//
// All pairs are counted, in fine bins of their squared distance, and every S(epsilon) comes from the same counts.
// Beyond 30,000 points in the plane, fewer in more dimensions, evenly spread rows stand for all of them, each with all
// its pairs: S is then right to a percent or so. Scales go with the square of the unit of length.
//
//   itomap::select_scale(points).epsilon
#pragma once

#include <optional>
#include <string>

#include "itomap/core/distances.hpp"
#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap {

struct ScaleSelection {
  double epsilon = 0.0;
  double intrinsic_dimension = 0.0;
};

/// The scale of steepest growth. Throws InvalidArgument if all points coincide.
ScaleSelection select_scale(PointsView points, const KernelOptions& options = {}, const Execution& execution = {});
ScaleSelection select_scale(const Distances& distances, const KernelOptions& options = {},
                            const Execution& execution = {});

/// S(epsilon) over a range of scales.
struct ScaleCurve {
  Vector epsilon;
  Vector log_sum;     ///< log S
  Vector dimension;   ///< 2 d log S / d log epsilon
  Vector neighbours;  ///< mean number of points within the cut-off, the point itself included

  /// A table, one line for each scale, as the command line prints it.
  std::string report() const;
};

/// At given scales, ascending or not.
ScaleCurve scale_curve(PointsView points, const Vector& epsilons, const KernelOptions& options = {},
                       const Execution& execution = {});
ScaleCurve scale_curve(const Distances& distances, const Vector& epsilons, const KernelOptions& options = {},
                       const Execution& execution = {});

/// `steps` scales in geometric progression from `low` to `high`; unless given from where nearest neighbours lie to
/// where the kernel covers the data.
Vector scale_range(PointsView points, std::optional<double> low, std::optional<double> high, Index steps,
                   const KernelOptions& options = {}, const Execution& execution = {});
Vector scale_range(const Distances& distances, std::optional<double> low, std::optional<double> high, Index steps,
                   const KernelOptions& options = {}, const Execution& execution = {});

}  // namespace itomap
