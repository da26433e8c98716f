// Trajectories from files, without reading them whole.
//
// A large .npy file of float64 or float32 in C order is mapped: frames are read when an estimate comes to them, float32
// ones converted block by block, and millions of frames cost no memory. All other formats of read_array work too, but
// are read as a whole. A file holds frames x N values, or frames x atoms x 3; numbers alone are frames on a line.
//
//   const auto run = itomap::open_trajectory("run.npy");
//   run.frames();      // 10000000
#pragma once

#include <string>

#include "itomap/dynamics/trajectory.hpp"

namespace itomap {

/// Throws IoError with one line if the file cannot be read.
Trajectory open_trajectory(const std::string& file);

}  // namespace itomap
