#include "fuzz_parser.hpp"
#include "io/hdf5_file.hpp"
#include "scratch_directory.hpp"

// With and without a path: the dataset x, and the only one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const itomap::fuzz::ScratchDirectory scratch;
  static const std::string file = scratch.path("fuzz.h5");
  itomap::fuzz::write_file(file, {reinterpret_cast<const char*>(data), size});
  for (const char* path : {"/x", ""}) itomap::fuzz::check([&] { return itomap::io::read_hdf5(file, path); });
  return 0;
}
