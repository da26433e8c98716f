// Rows of a block times one number each, threaded.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// diag(s) X, as a new block or in place.
Block scaled_rows(const Vector& s, PointsView x);
void scale_rows(const Vector& s, Eigen::Ref<Block> x);

}  // namespace itomap::detail
