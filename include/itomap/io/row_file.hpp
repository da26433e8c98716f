// Rows of a file, read a block at a time: points of a map that is larger than memory (itomap/blocks/block_map.hpp).
//
// A .npy file of float64 or float32 in C order is read as it is needed, and nothing of it stays. All other formats of
// read_array work too, but are read as a whole and stay in memory.
//
//   const auto rows = itomap::open_rows("points.npy");
//   rows.frames();      // 100000000
#pragma once

#include <string>

#include "itomap/dynamics/trajectory.hpp"

namespace itomap {

/// m x N numbers; a file of m numbers is m x 1. Throws IoError with one line if it cannot be read.
Trajectory open_rows(const std::string& file);

}  // namespace itomap
