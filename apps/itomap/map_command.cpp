#include "map_command.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/row_file.hpp"
#include "itomap/report/report.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "world.hpp"

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
  save_options().validate();
  if (!run_in_blocks()) {
    run_in_memory();
  }
}

bool MapCommand::run_in_blocks() {
  const bool replicated = settings_.error_bars.blocks > 0;  // several processes then share the replicates
  const bool checkpoint = !settings_.checkpoint.empty();
  if (checkpoint && (settings_.points.empty() || replicated)) {
    throw InvalidArgument("--checkpoint is for maps of --points without --error-bars");
  }
  const bool asked = checkpoint || (world().size() > 1 && !replicated && !shares_rows());
  // What is read row by row says how long it is; other formats are in memory by then, and pipes are read once.
  const bool by_rows = settings_.points.ends_with(".npy") && std::filesystem::is_regular_file(settings_.points);
  if (!asked && (!by_rows || replicated)) {
    return false;
  }
  BlockInput input{.definition = common_definition(), .points = open_rows(settings_.points)};
  // Landmarks are an approximation: nobody has it without asking, if there is another engine.
  const bool landmarks_unasked = input.points.dimension() > 3 && settings_.kernel.engine != Engine::Landmarks;
  if (!asked && (input.points.frames() < many_points || landmarks_unasked)) {
    return false;
  }
  Array shape;
  shape.source = settings_.points;
  shape.shape = {static_cast<std::size_t>(input.points.frames()), static_cast<std::size_t>(input.points.dimension())};
  settings_.check(shape);
  try {
    define_blocks(shape, input);
    compute_blocks(input);
  } catch (const NotInBlocks&) {
    if (asked) {
      throw;
    }
    run_.seconds.clear();
    return false;
  }
  return true;
}

bool MapCommand::shares_rows() const {
  const bool stored = !settings_.distances.empty() || settings_.kernel.engine == Engine::Sparse;
  return world().size() > 1 && stored && settings_.error_bars.blocks == 0;
}

void MapCommand::compute_blocks(const BlockInput& input) {
  check_in_blocks(input.definition, input.points.dimension());
  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!settings_.out.empty() && world().first()) {
    out.emplace(settings_.out, settings_.force);
  }
  BlockOutcome outcome;
  {
    ProgressDisplay display(!settings_.quiet && world().first());
    const Watchdog watchdog([&] {
      out.reset();
      display.erase();
    });
    const BlockOptions options{.eigenpairs = settings_.eigenpairs_options(),
                               .execution = settings_.execution(display.callback()),
                               .checkpoint = settings_.checkpoint,
                               .ranks = &world()};
    outcome = map_in_blocks(input, options, out ? out->path("") : "", save_options());
  }
  stop_if_signalled();
  if (!world().first()) {
    return;
  }
  if (out) {
    if (settings_.report) {
      write_report(out->path("report.html"), out->path(""), {.name = settings_.out});
    }
    out->commit();
  }
  if (!settings_.checkpoint.empty()) {
    forget_checkpoint(settings_.checkpoint);
  }
  run_ = std::move(outcome.run);
  spectrum_ = std::move(outcome.spectrum);
  show(outcome.json, outcome.map_report, outcome.warnings);
}

void MapCommand::run_in_memory() {
  const Array points = read_inputs();

  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!settings_.out.empty() && world().first()) {
    out.emplace(settings_.out, settings_.force);
  }
  compute(points, out);
  if (!world().first()) {
    return;
  }
  const auto json = out ? write(*out) : result_json(*map_, spectrum_, save_options());
  stop_if_signalled();
  if (out) {
    out->commit();
  }
  auto warnings = map_->diagnostics().warnings;
  warnings.insert(warnings.end(), spectrum_.warnings.begin(), spectrum_.warnings.end());
  show(json, map_->report(), warnings);
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

MapDefinition MapCommand::common_definition() const {
  MapDefinition d;
  d.epsilon = settings_.epsilon;
  d.normalization = settings_.normalization;
  d.bandwidth = settings_.variable_bandwidth();
  d.drop_isolated = settings_.drop_isolated;
  d.kernel = settings_.kernel;
  return d;
}

MapDefinition MapCommand::definition(const Array& points) {
  MapDefinition d = common_definition();
  if (distances_.empty()) {
    d.points = points.cloud();
  } else {
    d.distances = distances_;
  }
  define(d);
  return d;
}

void MapCommand::compute(const Array& points, std::optional<OutputDirectory>& out) {
  ProgressDisplay display(!settings_.quiet && world().first());
  const Watchdog watchdog([&] {
    out.reset();
    display.erase();
  });
  {
    const Stopwatch timer(run_.seconds["kernel"]);
    Execution execution = share_of_machine(settings_.execution(display.callback()));
    execution.ranks = shares_rows() ? &world() : nullptr;
    map_ = make_map(definition(points), execution);
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
    options.functions = !settings_.out.empty();
    error_bars_ = error_bars(*map_, spectrum_, options);
  }
}

SaveOptions MapCommand::save_options() const {
  return {.run = run_,
          .error_bars = error_bars_ ? &*error_bars_ : nullptr,
          .arrays = settings_.arrays(),
          .single = settings_.float32};
}

std::string MapCommand::write(OutputDirectory& out) {
  stop_if_signalled();
  auto json = write_result(out, *map_, spectrum_, save_options());
  if (settings_.report) {
    write_report(out.path("report.html"), out.path(""), {.name = settings_.out});
  }
  return json;
}

void MapCommand::show(const std::string& json, const std::string& map_report,
                      const std::vector<std::string>& warnings) const {
  if (settings_.json) {
    print(json);
  }
  const bool table = !settings_.json && !settings_.quiet;
  if (table) {
    print(summary(settings_, run_, map_report, spectrum_, error_bars_ ? &*error_bars_ : nullptr));
  }
  for (const auto& warning : warnings) {
    print_warning(warning);
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
