// itomap average: observables averaged over the invariant measure of a result.
#include "itomap/analysis/average.hpp"
#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "error_bar_settings.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/output_directory.hpp"
#include "result_command.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_average{
    .name = "average",
    .summary = "averages of observables over the invariant measure of a result, with error bars",
    .description =
        R"(Averages what you measured at the points of a map over its invariant measure, however the points were
sampled: the weights are phi_0, the stationary.npy of the result. The effective number of points says how many
equally weighted ones would be as good; below 50 there is a warning.

    mean            sum_i w_i f_i,   w = phi_0
    effective size  n = 1 / sum_i w_i^2

Error bars come from the map, made again without each of B blocks of consecutive rows and at 2 and 4 epsilon:
noise is how much the mean would vary from sample to sample; extrapolated is its value at epsilon = 0 and for
many points, with an error that holds what is left of the bias. --error-bars 0 gives means alone, at once.
Points that --drop-isolated left out of the map are left out here.
)",
    .usage = "--result DIR --observable FILE [options]",
    .examples = R"(itomap average --result result --observable energy.npy
itomap average --result result --observable observables.csv --json
)"};

constexpr std::string_view average_bars_help =
    "error bars from the map without each of B blocks of consecutive rows, and at 2 and 4 epsilon; 0 for none";

class Average final : public ResultCommand {
 public:
  const CommandText& text() const override { return about_average; }
  std::vector<Option> options() override;

 private:
  void check_options() const override;
  bool has_shares() const override { return error_bars_.blocks > 0; }
  void compute(const Progress& progress) override;
  bool joins_result() const override { return false; }
  Array read_observables(Index points) const;
  void warn_of_components(const StoredWeights& weights);
  void write(const PathOf& path) const override;
  std::string json() const;
  std::string table() const;
  void show() const override;

  std::string observable_;
  ErrorBarSettings error_bars_{.blocks = 10};
  Averages averages_;
};

std::vector<Option> Average::options() {
  auto all = leading_options(settings_);
  all.push_back({"observable", "FILE", Group::Input, "m numbers, or m x k for k observables, one row per point",
                 cli::text(observable_), true});
  for (auto&& more : {error_bar_options(error_bars_, average_bars_help),
                      trailing_options(settings_, "write average.json into this directory")}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void Average::check_options() const { settings_.check(); }

Array Average::read_observables(Index points) const {
  const Array values = read_array(observable_);
  const auto rows = values.shape.empty() ? 1 : values.shape[0];
  if (rows != static_cast<std::size_t>(points)) {
    throw InvalidArgument(
        fmt::format("{} has {} rows but the map in {} has {} points: --observable needs one row per "
                    "point",
                    observable_, rows, settings_.result, points));
  }
  return values;
}

void Average::compute(const Progress& progress) {
  const StoredWeights weights = load_weights(settings_.result);
  const Array values = read_observables(weights.stationary.size());
  try {
    averages_ = expectation(weights.stationary, values.as_points());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{} (--observable {})", error.what(), observable_));
  }
  if (error_bars_.blocks > 0 && averages_.points < ErrorBarOptions::fewest_points) {
    averages_.warnings.push_back(fmt::format("{} points are too few for error bars: {} are needed", averages_.points,
                                             ErrorBarOptions::fewest_points));
  } else if (error_bars_.blocks > 0) {
    const auto [map, spectrum] = load(progress);
    stop_if_signalled();
    const Stopwatch timer(seconds_);
    averages_ = expectation(map, spectrum, values.as_points(), error_bars_.options());
  }
  warn_of_components(weights);
}

// Between parts that the process does not connect, a map that is not reversible has no weights of its own.
void Average::warn_of_components(const StoredWeights& weights) {
  if (!weights.reversible && weights.components > 1) {
    averages_.warnings.push_back(fmt::format(
        "the map falls into {} components, which count by their numbers of points: the mean over all of them "
        "depends on the sample; raise epsilon, or average over one component",
        weights.components));
  }
}

void Average::write(const PathOf& path) const { write_text(path("average.json"), json()); }

std::string Average::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about_average.name;
  j["parameters"] = Json::parse(parameters_);
  j["points"] = averages_.points;
  j["effective_points"] = averages_.effective_points;
  j["mean"] = numbers(averages_.mean);
  j["standard_deviation"] = numbers(averages_.standard_deviation);
  if (averages_.replication) {
    j["noise"] = numbers(averages_.noise);
    j["extrapolated"] = numbers(averages_.extrapolated);
    j["extrapolated_errors"] = numbers(averages_.extrapolated_error);
    j["error_bars"] = replication_json(*averages_.replication);
  }
  j["warnings"] = averages_.warnings;
  return json_text(j);
}

std::string Average::table() const {
  return fmt::format("{} points, worth {:.1f} equally weighted ones\n\n{}", averages_.points,
                     averages_.effective_points, emphasised(averages_.report()));
}

void Average::show() const {
  if (settings_.json) {
    print(json());
  }
  if (!settings_.json && !settings_.quiet) {
    print(table());
  }
  for (const auto& warning : averages_.warnings) {
    print_warning(warning);
  }
}

}  // namespace

std::unique_ptr<Command> make_average() { return std::make_unique<Average>(); }

}  // namespace itomap::cli
