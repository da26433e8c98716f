#include "fuzz_parser.hpp"
#include "io/npz.hpp"

// With and without a key: the first member named x, and the only member.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = itomap::fuzz::input(data, size);
  for (const char* key : {"x", ""}) {
    itomap::fuzz::check([&] { return itomap::detail::parse_npz(file, key, "fuzz.npz"); });
  }
  return 0;
}
