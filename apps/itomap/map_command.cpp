#include "map_command.hpp"

#include <fmt/format.h>

#include "inputs.hpp"
#include "itomap/report/report.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {

std::string_view MapCommand::epsilon_help() const {
  return "the scale of the kernel exp(-r^2 / 4 epsilon), a squared length > 0; auto balances bias and noise of the "
         "leading time scales, see itomap scale";
}

std::vector<Option> MapCommand::options() {
  auto all = leading_options(settings_, epsilon_help(), takes_distances());
  for (auto&& more : {own_options(), trailing_options(settings_)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void MapCommand::run() {
  settings_.check_report();
  settings_.check_output();
  check_options();
  run_.command = text().name;
  run_.command_line = command_line;
  run_.parameters_json = parameters_json(options());
  const Array points = read_inputs();

  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!settings_.out.empty()) {
    out.emplace(settings_.out, settings_.force);
  }
  compute(points, out);
  const auto json = out ? write(*out) : result_json(*map_, spectrum_, save_options());
  stop_if_signalled();
  if (out) {
    out->commit();
  }
  show(json);
}

Array MapCommand::read_inputs() {
  const Stopwatch timer(run_.seconds["read"]);
  Array points;
  if (settings_.distances.empty()) {
    points = read_points(settings_.points);
  } else {
    distances_ = read_distances_of_points(settings_.distances, points);
  }
  settings_.check(points);
  run_.columns = points.column_names;
  read_files(points);
  return points;
}

MapDefinition MapCommand::definition(const Array& points) {
  MapDefinition d;
  if (distances_.empty()) {
    d.points = points.cloud();
  } else {
    d.distances = distances_;
  }
  d.epsilon = settings_.epsilon;
  d.normalization = settings_.normalization;
  d.bandwidth = settings_.variable_bandwidth();
  d.drop_isolated = settings_.drop_isolated;
  d.kernel = settings_.kernel;
  define(d);
  return d;
}

void MapCommand::compute(const Array& points, std::optional<OutputDirectory>& out) {
  ProgressDisplay display(!settings_.quiet);
  const Watchdog watchdog([&] {
    out.reset();
    display.erase();
  });
  {
    const Stopwatch timer(run_.seconds["kernel"]);
    map_ = make_map(definition(points), settings_.execution(display.callback()));
  }
  stop_if_signalled();
  {
    const Stopwatch timer(run_.seconds["eigenpairs"]);
    spectrum_ = eigenpairs(*map_, settings_.eigenpairs_options());
  }
  stop_if_signalled();
  if (settings_.error_bars.blocks > 0) {
    const Stopwatch timer(run_.seconds["error_bars"]);
    ErrorBarOptions options = settings_.error_bars.options();
    options.functions = out.has_value();
    error_bars_ = error_bars(*map_, spectrum_, options);
  }
}

SaveOptions MapCommand::save_options() const {
  return {.run = run_, .error_bars = error_bars_ ? &*error_bars_ : nullptr};
}

std::string MapCommand::write(OutputDirectory& out) {
  stop_if_signalled();
  auto json = write_result(out, *map_, spectrum_, save_options());
  if (settings_.report) {
    write_report(out.path("report.html"), out.path(""), {.name = settings_.out});
  }
  return json;
}

void MapCommand::show(const std::string& json) const {
  if (settings_.json) {
    print(json);
  }
  const bool table = !settings_.json && !settings_.quiet;
  if (table) {
    print(summary(settings_, run_, *map_, spectrum_, error_bars_ ? &*error_bars_ : nullptr));
  }
  for (const auto* warnings : {&map_->diagnostics().warnings, &spectrum_.warnings}) {
    for (const auto& warning : *warnings) {
      print_warning(warning);
    }
  }
  if (error_bars_) {
    for (const auto& warning : error_bars_->warnings) {
      print_warning(warning);
    }
  }
  if (table) {
    print(where_to_find(settings_));
  }
}

}  // namespace itomap::cli
