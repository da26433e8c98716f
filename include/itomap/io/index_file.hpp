// A set of points from a file: their numbers, or a mask; and other files of whole numbers.
//
// Numbers count rows of the points from 0, in any order; a mask has one entry for each point, 0 or false outside the
// set, 1 or true inside. Any format of read_array, and .npy or .npz files of integers and bools as well. A file with as
// many values as there are points, all 0 or 1, is a mask, and so is every file of bools.
//
//   const std::vector<itomap::Index> source = itomap::read_indices("source.npy", 1000);
#pragma once

#include <string>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

/// Ascending, each once. IoError with one line if a value is not a whole number from 0 to points - 1, if there are
/// none, or if a mask has the wrong length.
std::vector<Index> read_indices(const std::string& file, Index points);

/// Whole numbers >= 1 as they stand: how many rows each of several runs has. IoError for any other.
std::vector<Index> read_counts(const std::string& file);

}  // namespace itomap
