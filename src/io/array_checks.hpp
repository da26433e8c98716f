// What must hold for numbers from files before anything is computed from them.
#pragma once

#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// Throws IoError, naming file, row and column, if a number is NaN or infinite.
void check_finite(const Array& array);

/// Throws IoError if the coordinates of the points, from the file `source`, are rounded too coarsely to say where in a
/// period they lie, or if a period is too short to be squared. 0 stands for none.
void check_period(const std::vector<double>& period, PointsView points, const std::string& source);

}  // namespace itomap::detail
