// Zero modes that are known beforehand: functions that are constant on every connected component.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

/// Orthonormal functions on components, as a components x count matrix, in the inner product sum_c weights_c f_c g_c.
/// The first is constant; the k-th tells the k-th heaviest component from all heavier ones. `weights` are positive;
/// count <= components.
Matrix component_modes(const Vector& weights, Index count);

/// Sum of `values` over each component.
Vector component_sums(VectorView values, const std::vector<Index>& component, Index components);

/// The functions on the points: row i is the row of `modes` of point i's component.
Block on_points(const Matrix& modes, const std::vector<Index>& component);

}  // namespace itomap
