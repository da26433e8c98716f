#include "map_command.hpp"

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "inputs.hpp"
#include "io/output_file.hpp"
#include "itomap/io/stored_map.hpp"
#include "itomap/scales/scale_scan.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {

std::string_view MapCommand::epsilon_help() const {
  return "the scale of the kernel exp(-r^2 / 4 epsilon), a squared length > 0; auto balances bias and noise of the "
         "leading time scales, see itomap scale";
}

std::vector<Option> MapCommand::options() {
  auto all = leading_options(settings_, epsilon_help());
  for (auto&& more : {own_options(), trailing_options(settings_)}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

void MapCommand::run() {
  settings_.check();
  check_options();
  run_.command = text().name;
  run_.parameters_json = parameters_json(options());
  const Array points = read_inputs();

  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!settings_.out.empty()) out.emplace(settings_.out, settings_.force);
  compute(points, out);
  const auto json = out ? write(*out) : result_json(generator_, spectrum_, run_, uncertainty());
  stop_if_signalled();
  if (out) out->commit();
  show(json);
}

Array MapCommand::read_inputs() {
  const Stopwatch timer(run_.seconds["read"]);
  auto points = read_points(settings_.points);
  run_.dimension = points.as_points().cols();
  settings_.check(points);
  read_files(points);
  return points;
}

void MapCommand::compute(const Array& points, std::optional<OutputDirectory>& out) {
  ProgressDisplay display(!settings_.quiet);
  const Watchdog watchdog([&] {
    out.reset();
    display.erase();
  });
  {
    const Stopwatch timer(run_.seconds["kernel"]);
    definition_.points = points.as_points();
    definition_.epsilon = settings_.epsilon.value;
    definition_.bandwidth = settings_.variable_bandwidth();
    definition_.drop_isolated = settings_.drop_isolated;
    definition_.kernel = settings_.kernel_options(display.callback());
    define(definition_);
    const double error = choose_scales(display.callback());
    generator_ = definition_.build();
    warn_of_scales(error);
  }
  stop_if_signalled();
  {
    const Stopwatch timer(run_.seconds["eigenpairs"]);
    spectrum_ = eigenpairs(generator_, settings_.eigenpairs_options(display.callback()));
  }
  stop_if_signalled();
  if (settings_.error_bars > 0) {
    const Stopwatch timer(run_.seconds["error_bars"]);
    uncertainty_ =
        itomap::uncertainty(definition_, generator_, spectrum_,
                            {.blocks = static_cast<Index>(settings_.error_bars), .progress = display.callback()});
  }
}

double MapCommand::choose_scales(const Progress& progress) {
  if (!settings_.epsilon.automatic) return 0.0;
  const ScaleScan scan = scan_scales(definition_, {.progress = progress});
  definition_.epsilon = scan.epsilon;
  if (!definition_.density_epsilon) definition_.density_epsilon = scan.density_epsilon;
  definition_.bandwidth.dimension = scan.bandwidth_dimension;
  run_.epsilon_reason = scan.reason;
  return scan.error;
}

void MapCommand::warn_of_scales(double error) {
  constexpr double tolerable = 0.5;
  if (error > tolerable)
    generator_.diagnostics.warnings.push_back(
        fmt::format("epsilon auto: the best scale still has an estimated error of {:.0f} % in the leading time scales; "
                    "look at itomap scale, or give --epsilon",
                    100.0 * error));
}

// The time that writing took is known when all is written: result.json is put down once more with it.
std::string MapCommand::write(OutputDirectory& out) {
  stop_if_signalled();
  {
    const Stopwatch timer(run_.seconds["write"]);
    write_result(out, generator_, spectrum_, run_, uncertainty());
    write_inputs(out, definition_);
  }
  const auto json = result_json(generator_, spectrum_, run_, uncertainty());
  detail::write_text(out.path("result.json"), json);
  return json;
}

void MapCommand::show(const std::string& json) const {
  if (settings_.json) print(json);
  const bool table = !settings_.json && !settings_.quiet;
  if (table) print(summary(settings_, run_, generator_, spectrum_, uncertainty()));
  for (const auto* warnings : {&generator_.diagnostics.warnings, &spectrum_.warnings})
    for (const auto& warning : *warnings) print_warning(warning);
  if (uncertainty_)
    for (const auto& warning : uncertainty_->warnings) print_warning(warning);
  if (table) print(where_to_find(settings_));
}

}  // namespace itomap::cli
