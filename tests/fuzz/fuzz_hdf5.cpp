#include "fuzz_parser.hpp"
#include "io/hdf5_file.hpp"
#include "scratch_directory.hpp"

// With a path or without: the dataset x, or the only one. One of them a run, for a run starts two processes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const itomap::fuzz::ScratchDirectory scratch;
  static const std::string file = scratch.path("fuzz.h5");
  itomap::fuzz::write_file(file, {reinterpret_cast<const char*>(data), size});
  return itomap::fuzz::check([&] { return itomap::detail::read_hdf5(file, size % 2 == 0 ? "/x" : ""); });
}
