#include "fuzz_parser.hpp"
#include "io/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return itomap::fuzz::check([&] { return itomap::detail::parse_npy(itomap::fuzz::input(data, size), "fuzz.npy"); });
}
