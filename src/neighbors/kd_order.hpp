// An order in which runs of 64 points, the runs of 16 in them, and the fours in those are compact in space.
#pragma once

#include <cstdint>
#include <span>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Reorders the numbers of some points by halving them again and again along their widest coordinate. The first of them
/// will be stored at position `first`; halves begin at positions that are multiples of 64, and of 16 within a run of
/// 64, so that the boxes around aligned runs are those of the halving.
void kd_order(PointsView points, Index first, std::span<std::int32_t> members);

}  // namespace itomap::detail
