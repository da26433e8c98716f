// Numbers with a name.
#pragma once

#include <limits>
#include <numbers>

namespace itomap::detail {

constexpr double pi = std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace itomap::detail
