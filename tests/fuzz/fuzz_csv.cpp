#include "fuzz_parser.hpp"
#include "io/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return itomap::fuzz::check(
      [&] { return itomap::detail::parse_csv(itomap::fuzz::input(data, size).bytes, "fuzz.csv"); });
}
