#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "terminal.hpp"

namespace itomap::cli {
namespace {

std::string effort(const RunRecord& run, const Spectrum& spectrum) {
  constexpr double negligible = 0.005;
  std::string stages;
  double total = 0;
  for (const char* stage : {"read", "kernel", "eigenpairs", "error_bars", "write"}) {
    const auto found = run.seconds.find(stage);
    const double seconds = found == run.seconds.end() ? 0 : found->second;
    if (seconds >= negligible) {
      stages += fmt::format("{}{} {:.2f} s", stages.empty() ? "" : ", ", stage, seconds);
    }
    total += seconds;
  }
  const auto parts = stages.empty() ? "" : fmt::format(" ({})", stages);
  const auto products = plural(static_cast<std::size_t>(spectrum.products), "product");
  const auto condensed = spectrum.condensed_size > 0 ? fmt::format(" and {} with its {} condensed unknowns",
                                                                   spectrum.condensed_products, spectrum.condensed_size)
                                                     : "";
  return Style(stdout).dim(fmt::format("{:.2f} s{}, {} with the kernel{}", total, parts, products, condensed)) + "\n";
}

// Without hidden ones, which are for the program.
std::string file_names(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (auto name = entry.path().filename().string(); !name.starts_with('.')) {
      names.push_back(std::move(name));
    }
  }
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string emphasised(const std::string& report) {
  const Style style(stdout);
  const auto heading = report.find('\n');
  auto text = style.bold(report.substr(0, heading));
  for (std::size_t begin = heading; begin < report.size();) {
    const auto end = std::min(report.find('\n', begin + 1), report.size());
    const auto line = report.substr(begin, end - begin);
    const auto flag = std::min({line.find("  spurious ("), line.find("  not converged"), line.find("  limited by"),
                                line.find(": the same, spurious"), line.size()});
    text += line.substr(0, flag) + (flag < line.size() ? style.warn(line.substr(flag)) : "");
    begin = end;
  }
  return text;
}

std::string summary(const MapSettings& settings, const RunRecord& run, const std::string& map_report,
                    const Spectrum& spectrum, const ErrorBars* error_bars) {
  auto header = emphasised(map_report);
  const auto source = header.find('\n', header.find("\n  points") + 1);
  header.insert(source, ", from " + settings.points);
  const auto bars = error_bars != nullptr ? emphasised(error_bars->report()) + "\n" : std::string();
  return fmt::format("{}\n{}\n{}{}", header, emphasised(spectrum.report()), bars, effort(run, spectrum));
}

std::string written_to(const std::string& directory) {
  const auto text = fmt::format("Written to {}: {}", directory, file_names(directory));
  return wrapped(text, 2, std::max<std::size_t>(columns(stdout, 100), 40)) + "\n";
}

std::string where_to_find(const MapSettings& settings) {
  if (settings.out.empty()) {
    return "Add --out DIR to keep the eigenfunctions, the weights and result.json.\n";
  }
  return written_to(settings.out);
}

}  // namespace itomap::cli
