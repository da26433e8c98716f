// What estimates check before they start.
#pragma once

#include <string>

#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap {

/// m x N with m, N >= 1 and finite; `what` is "queries" or "starts".
void check_estimate_points(PointsView points, const std::string& what);
void check_lag(double lag);

/// The points, aligned if that is asked for.
AlignedFrames aligned_or_same(PointsView points, const std::optional<Alignment>& align, int threads);

}  // namespace itomap
