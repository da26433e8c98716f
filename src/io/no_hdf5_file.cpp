#include <fmt/format.h>

#include "io/hdf5_file.hpp"
#include "io/mapped_file.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {

std::string hdf5_library() { return "none"; }

Array read_hdf5(const std::string& file, const std::string& path) {
  const std::string name = path.empty() ? file : file + ":" + path;
  check_regular(file, name);
  throw IoError(fmt::format(
      "{}: this itomap was built without HDF5; save the array as .npy, or build with -DITOMAP_WITH_HDF5=ON", name));
}

}  // namespace itomap::detail
