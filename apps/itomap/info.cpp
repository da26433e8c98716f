// itomap info: what this program is made of and what it finds on this machine.
#include <fmt/format.h>
#include <CLI/Version.hpp>

#include "command.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/build_info.hpp"
#include "itomap/report/report.hpp"
#include "json.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_info{
    .name = "info",
    .summary = "version, engines, threads, SIMD level, memory and libraries",
    .description =
        "Says what this program was built with and what it finds on this machine: the lines to put into a "
        "question or a bug report.\n",
    .usage = "[--json]",
    .examples = "itomap info\nitomap info --json\n"};

Json libraries(const BuildInfo& info) {
  auto all = Json::object();
  for (const auto& [name, number] : info.libraries) {
    all[name] = number;
  }
  all["CLI11"] = CLI11_VERSION;
  return all;
}

Json facts() {
  const BuildInfo info = build_info();
  return {{"version", info.version},
          {"engines", info.engines},
          {"threads", info.threads},
          {"simd", info.simd},
          {"available_memory_bytes", info.available_memory},
          {"compiler", info.compiler},
          {"report", has_report()},
          {"libraries", libraries(info)}};
}

std::string readable(const Json& facts) {
  std::string engines, names;
  for (const auto& engine : facts["engines"]) {
    engines += (engines.empty() ? "" : ", ") + engine.get<std::string>();
  }
  for (const auto& [name, number] : facts["libraries"].items()) {
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", name, number.get<std::string>());
  }
  auto text = Style(stdout).bold(fmt::format("itomap {}", version())) + "\n";
  text += fmt::format("  {:<11}{}\n", "engines", engines);
  text += fmt::format("  {:<11}{}\n", "threads", facts["threads"].get<int>());
  text += fmt::format("  {:<11}{}\n", "SIMD", facts["simd"].get<std::string>());
  text += fmt::format("  {:<11}{} available\n", "memory",
                      fmt::format("{:.1f} GB", 1e-9 * facts["available_memory_bytes"].get<double>()));
  text += fmt::format("  {:<11}{}\n", "compiler", facts["compiler"].get<std::string>());
  text += fmt::format("  {:<11}{}\n", "report",
                      facts["report"].get<bool>() ? "yes" : "no: built without nodejs, npm or zlib1g-dev");
  return text + fmt::format("  {:<11}{}\n", "libraries", wrapped(names, 13, 100));
}

class Info final : public Command {
 public:
  const CommandText& text() const override { return about_info; }
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
