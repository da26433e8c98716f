// Zero modes that are known beforehand: functions that are constant on every connected component.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Orthonormal functions on components, as a components x count matrix, in the inner product sum_c r_c^2 f_c g_c. The
/// first is constant; the k-th tells the k-th component of `order` from all before it. Given are the roots r > 0 of the
/// weights, which may be so light that they underflow. count <= components.
Matrix component_modes(const Vector& roots, const std::vector<Index>& order, Index count);

/// All components, heaviest first.
std::vector<Index> heaviest_first(const Vector& weights);

/// Sum of `values` over each component.
Vector component_sums(VectorView values, const std::vector<Index>& component, Index components);

/// Euclidean norm of `values` on each component; squares may underflow.
Vector component_norms(VectorView values, const std::vector<Index>& component, Index components);

/// Functions on components as functions on points.
Block on_points(const Matrix& modes, const std::vector<Index>& component);

}  // namespace itomap::detail
