// Arrays from files whose values are not all floats.
#pragma once

#include <string>

#include "io/npy_header.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// As itomap::read_array, for the kinds of values that `kind` allows in .npy and .npz files.
Array read_array_of(const std::string& file, NpyKind kind);

}  // namespace itomap::detail
