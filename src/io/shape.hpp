// Shapes of arrays: how many values they hold, with lies about impossible sizes caught.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace itomap::detail {

/// More axes than this have no meaning in any input: m x N x N is the largest (a diffusion matrix per point).
inline constexpr std::size_t most_dimensions = 3;

/// The number of values; none if no memory could hold that many doubles (not even with the axes of length 0 left out).
std::optional<std::size_t> count_values(const std::vector<std::size_t>& shape);

/// "1000 x 2"; "scalar" without axes.
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace itomap::detail
