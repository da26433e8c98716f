// itomap info: what this program is made of and what it finds on this machine.
#include <fmt/format.h>
#include <CLI/Version.hpp>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "io/hdf5_file.hpp"
#include "io/zip.hpp"
#include "itomap/core/version.hpp"
#include "kernel/fft.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr CommandText about{
    .name = "info",
    .summary = "version, engines, threads, SIMD level, memory and libraries",
    .description =
        "Says what this program was built with and what it finds on this machine: the lines to put into a "
        "question or a bug report.\n",
    .usage = "[--json]",
    .examples = "itomap info\nitomap info --json\n"};

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

Json libraries() {
  return {{"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"HDF5", io::hdf5_library()},
          {"libzip", io::zip_library()},
          {"FFT", fft_library()},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                        NLOHMANN_JSON_VERSION_PATCH)},
          {"CLI11", CLI11_VERSION}};
}

Json facts() {
  return {{"version", version()},
          {"engines", {"sparse", "grid", "dense"}},
          {"threads", resolve_threads(0)},
          {"simd", simd_level()},
          {"available_memory_bytes", available_memory_bytes()},
          {"compiler", compiler()},
          {"libraries", libraries()}};
}

std::string readable(const Json& facts) {
  std::string engines, names;
  for (const auto& engine : facts["engines"]) engines += (engines.empty() ? "" : ", ") + engine.get<std::string>();
  for (const auto& [name, number] : facts["libraries"].items())
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", name, number.get<std::string>());
  auto text = Style(stdout).bold(fmt::format("itomap {}", version())) + "\n";
  text += fmt::format("  {:<11}{}\n", "engines", engines);
  text += fmt::format("  {:<11}{}\n", "threads", facts["threads"].get<int>());
  text += fmt::format("  {:<11}{}\n", "SIMD", facts["simd"].get<std::string>());
  text += fmt::format("  {:<11}{} available\n", "memory", format_bytes(facts["available_memory_bytes"].get<double>()));
  text += fmt::format("  {:<11}{}\n", "compiler", compiler());
  return text + fmt::format("  {:<11}{}\n", "libraries", wrapped(names, 13, 100));
}

class Info final : public Command {
 public:
  const CommandText& text() const override { return about; }
  std::vector<Option> options() override {
    return {{"json", "", Group::Output, "print a JSON object instead of lines", flag(json_)}};
  }
  void run() override { print(json_ ? facts().dump(2) + "\n" : readable(facts())); }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_info() { return std::make_unique<Info>(); }

}  // namespace itomap::cli
