// What estimates check before they start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap::detail {

/// m x N with m, N >= 1 and finite; `what` is "queries" or "starts".
void check_estimate_points(PointsView points, const std::string& what);
void check_lag(double lag);
/// One length for each of N coordinates, or none; an alignment turns coordinates into each other, which no period
/// stands.
void check_period(const std::vector<double>& period, const std::optional<Alignment>& align, Index dimension);

/// The points, aligned if that is asked for.
AlignedFrames aligned_or_same(PointsView points, const std::optional<Alignment>& align);

}  // namespace itomap::detail
