// Distances from files.
//
// Either m x m numbers in any of the formats of itomap/io/array_file.hpp, or the known ones alone, in the archive that
// scipy.sparse.save_npz writes of a matrix in CSR format; there, what is stored from one point to another holds for the
// way back, too.
//
//   const auto distances = itomap::read_distances("rmsd.npy");
#pragma once

#include <string>

#include "itomap/core/distances.hpp"

namespace itomap {

/// Throws IoError with one line if there are none.
Distances read_distances(const std::string& file);

}  // namespace itomap
