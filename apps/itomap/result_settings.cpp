#include "result_settings.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "itomap/core/error.hpp"
#include "itomap/io/added_files.hpp"
#include "itomap/io/output_directory.hpp"

namespace itomap::cli {

void check_not_result(const std::string& out, const std::string& result) {
  std::error_code ignored;
  if (!out.empty() && std::filesystem::equivalent(out, result, ignored)) {
    throw InvalidArgument(
        fmt::format("--out {} is the result directory itself, which would be replaced; name another one", out));
  }
}

void ResultSettings::check() const {
  check_not_result(out, result);
  if (force && out.empty()) {
    throw InvalidArgument("--force replaces the directory of --out DIR, which is not given");
  }
  if (!out.empty()) {
    const OutputDirectory probe(out, force);  // throws if it cannot be written; leaves nothing
  }
}

void ResultSettings::check_joining(std::span<const std::string> names) const {
  if (!out.empty()) {
    return check();
  }
  check_no_stranger(result, names);
  const auto earlier = std::filesystem::path(result) / names.back();
  std::error_code ignored;
  if (!force && std::filesystem::exists(earlier, ignored)) {
    throw InvalidArgument(
        fmt::format("{} exists; add --force to replace it, or --out DIR to write elsewhere", earlier.string()));
  }
}

Execution ResultSettings::execution(Progress progress) const {
  return {.threads = static_cast<int>(threads), .memory = memory, .progress = std::move(progress)};
}

std::vector<Option> leading_options(ResultSettings& s) {
  return {{"result", "DIR", Group::Input, "what itomap dmap, tmd or lkd wrote with --out", text(s.result), true}};
}

std::vector<Option> trailing_options(ResultSettings& s, std::string_view out_help) {
  return {
      {"threads", "T", Group::Computation, "worker threads, 0 for all cores; the same bits for any number",
       count(s.threads, 0, most_threads)},
      {"memory", "SIZE", Group::Computation, "the most that the kernel may take; 80 % of what is free unless given",
       bytes(s.memory)},
      {"out", "DIR", Group::Output, out_help, text(s.out)},
      {"force", "", Group::Output, "replace an earlier answer that is in the way", flag(s.force)},
      {"quiet", "", Group::Output, "no progress and no table; warnings and errors remain", flag(s.quiet)},
      {"json", "", Group::Output, "print the result as JSON instead of the table", flag(s.json)},
  };
}

}  // namespace itomap::cli
