// Rows of a block times one number each, threaded.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap {

/// diag(s) X, as a new block or in place.
Block scaled_rows(const Vector& s, PointsView x, int threads);
void scale_rows(const Vector& s, Eigen::Ref<Block> x, int threads);

}  // namespace itomap
