#include "output_settings.hpp"

#include "itomap/core/error.hpp"
#include "itomap/io/output_directory.hpp"

namespace itomap::cli {

void OutputSettings::check_output() const {
  if (force && out.empty()) {
    throw InvalidArgument("--force replaces the directory of --out DIR, which is not given");
  }
  if (!out.empty()) {
    const OutputDirectory probe(out, force);  // throws if it cannot be written; leaves nothing
  }
}

std::vector<Option> output_options(OutputSettings& s, bool required) {
  constexpr auto group = Group::Output;
  return {
      {"out", "DIR", group, "write result.json and all arrays into this directory, which appears whole or not at all",
       text(s.out), required},
      {"force", "", group, "replace DIR if it holds an earlier result and nothing else", flag(s.force)},
      {"quiet", "", group, "no progress and no table; warnings and errors remain", flag(s.quiet)},
      {"json", "", group, "print the content of result.json instead of the table", flag(s.json)},
  };
}

}  // namespace itomap::cli
