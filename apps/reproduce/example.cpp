#include "reproduce/example.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"

namespace itomap::reproduce {

void Context::step(double fraction, std::string_view what) const {
  const std::string name = out.filename().string();
  if (progress && !progress({.stage = name, .fraction = fraction, .detail = what})) {
    throw Cancelled();
  }
}

void Context::report(const std::string& map_name, const Map& map, const Spectrum& spectrum, ReportOptions options,
                     ReportAnalyses analyses) const {
  if (!has_report()) {
    return;
  }
  const auto file = fmt::format("report-{}.html", map_name);
  options.name = fmt::format("{} {}", out.filename().string(), map_name);
  analyses.run.command_line = fmt::format("itomap reproduce {} --out DIR", out.filename().string());
  write_report((out / file).string(), map, spectrum, options, analyses);
  if (reports != nullptr) {
    reports->push_back({file, options.title});
  }
}

const std::vector<Example>& all_examples() {
  static const std::vector<Example> examples{large_time_step(), temperature_switch(), butane(), wake()};
  return examples;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - std::floor(place));
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace itomap::reproduce
