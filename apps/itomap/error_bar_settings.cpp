#include "error_bar_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "itomap/core/error.hpp"
#include "itomap/io/index_file.hpp"
#include "world.hpp"

namespace itomap::cli {
namespace {

constexpr std::uint64_t most_blocks = 1000;

bool is_list(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == ',' || c == ' '; });
}

std::vector<Index> run_lengths(const std::string& text) {
  if (text.empty()) {
    return {};
  }
  if (!is_list(text)) {
    return read_counts(text);
  }
  std::vector<Index> runs;
  for (const auto& part : split_at_commas(text)) {
    const double length = parse_real(part).value_or(0.0);
    if (!(length >= 1.0 && length <= 1e15)) {
      throw InvalidArgument(fmt::format("--runs {}: '{}' is no number of rows; each run has one or more", text, part));
    }
    runs.push_back(static_cast<Index>(length));
  }
  return runs;
}

}  // namespace

ErrorBarOptions ErrorBarSettings::options() const {
  return {.blocks = static_cast<Index>(blocks), .runs = run_lengths(runs), .ranks = &world()};
}

std::vector<Option> error_bar_options(ErrorBarSettings& s, std::string_view help) {
  return {
      {"error-bars", "B", Group::Computation, help, count(s.blocks, 0, most_blocks)},
      {"runs", "L1,L2,..|FILE", Group::Computation,
       "how many rows each of several trajectories has, one after the other: for error bars, whose blocks shall not "
       "reach from one into the next",
       text(s.runs)},
  };
}

Json replication_json(const Replication& r) {
  return {{"blocks", r.blocks},
          {"epsilons", {r.epsilon, 2.0 * r.epsilon, 4.0 * r.epsilon}},
          {"power", r.power},
          {"wall_weight", number(r.wall_weight)},
          {"correlated_rows", number(r.correlated_rows)}};
}

}  // namespace itomap::cli
