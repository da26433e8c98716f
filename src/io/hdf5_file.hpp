// Arrays in HDF5 files: datasets of float32 or float64, however they are stored. A child process reads them: the HDF5
// library crashes on some damaged files.
#pragma once

#include <string>

#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// Version of the library in use, or "none".
std::string hdf5_library();

/// The dataset at `path`; an empty path takes the only one. IoError, with the datasets that are there, if there is no
/// such dataset.
Array read_hdf5(const std::string& file, const std::string& path);

}  // namespace itomap::detail
