#include "dynamics/check_estimate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "itomap/kernel/kernel_options.hpp"

namespace itomap::detail {

void check_estimate_points(PointsView points, const std::string& what) {
  if (points.size() == 0) {
    throw InvalidArgument(fmt::format("{}: there are none; give m x N, m >= 1", what));
  }
  for (Index i = 0; i < points.rows(); ++i) {
    if (!points.row(i).allFinite()) {
      throw InvalidArgument(
          fmt::format("{}: row {} (counted from 0) holds NaN or infinity; mend or remove that row", what, i));
    }
  }
}

void check_lag(double lag) {
  if (!(lag > 0.0) || !std::isfinite(lag)) {
    throw InvalidArgument(fmt::format("lag: {:g} is wrong; it must be > 0", lag));
  }
}

void check_period(const std::vector<double>& period, const std::optional<Alignment>& align, Index dimension) {
  KernelOptions{.period = period}.validate(std::size_t(dimension));
  if (align && !period.empty()) {
    throw InvalidArgument(
        "period, align: rotations mix the coordinates, which then have no period; make molecules whole beforehand and "
        "leave the period out");
  }
}

AlignedFrames aligned_or_same(PointsView points, const std::optional<Alignment>& align) {
  if (align) {
    return align_frames(points, *align);
  }
  return {points, {}};
}

}  // namespace itomap::detail
