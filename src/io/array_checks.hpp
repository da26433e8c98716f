// What must hold for numbers from files before anything is computed from them.
#pragma once

#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// Throws IoError, naming file, row and column, if a number is NaN or infinite.
void check_finite(const Array& array);

}  // namespace itomap::detail
