// itomap average: observables averaged over the invariant measure of a result.
#include "itomap/analysis/average.hpp"
#include "json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "command.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/io/result.hpp"
#include "parameters.hpp"
#include "result_settings.hpp"
#include "signals.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about{
    .name = "average",
    .summary = "averages of observables over the invariant measure of a result, with error bars",
    .description =
        R"(Averages what you measured at the points of a map over its invariant measure, however the points were
sampled: the weights are phi_0, the stationary.npy of the result. The effective number of points says how many
equally weighted ones would be as good; below 50 there is a warning.

    mean            sum_i w_i f_i,   w = phi_0
    effective size  n = 1 / sum_i w_i^2
    standard error  (n / (n - 1) sum_i w_i^2 (f_i - mean)^2)^1/2

The standard error takes the points as independent; those of a trajectory are not, and its error is larger.
Points that --drop-isolated left out of the map are left out here.
)",
    .usage = "--result DIR --observable FILE [options]",
    .examples = R"(itomap average --result result --observable energy.npy
itomap average --result result --observable observables.csv --json
)"};

class Average final : public Command {
 public:
  const CommandText& text() const override { return about; }
  std::vector<Option> options() override;
  void run() override;

 private:
  void compute();
  void warn_of_components(const StoredWeights& weights);
  std::string json();
  std::string table() const;

  std::string result_;
  std::string observable_;
  std::string out_;
  bool force_ = false;
  bool quiet_ = false;
  bool json_ = false;
  Averages averages_;
};

std::vector<Option> Average::options() {
  return {
      {"result", "DIR", Group::Input, "what itomap dmap, tmd or lkd wrote with --out", cli::text(result_), true},
      {"observable", "FILE", Group::Input, "m numbers, or m x k for k observables, one row per point",
       cli::text(observable_), true},
      {"out", "DIR", Group::Output, "write average.json into this directory", cli::text(out_)},
      {"force", "", Group::Output, "replace DIR if it holds an earlier result and nothing else", flag(force_)},
      {"quiet", "", Group::Output, "no table; warnings and errors remain", flag(quiet_)},
      {"json", "", Group::Output, "print the result as JSON instead of the table", flag(json_)},
  };
}

void Average::compute() {
  const StoredWeights weights = load_weights(result_);
  const Array values = read_array(observable_);
  const auto rows = values.shape.empty() ? 1 : values.shape[0];
  if (rows != static_cast<std::size_t>(weights.stationary.size())) {
    throw InvalidArgument(
        fmt::format("{} has {} rows but the map in {} has {} points: --observable needs one row per "
                    "point",
                    observable_, rows, result_, weights.stationary.size()));
  }
  try {
    averages_ = expectation(weights.stationary, values.as_points());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{} (--observable {})", error.what(), observable_));
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

void Average::run() {
  if (force_ && out_.empty()) {
    throw InvalidArgument("--force replaces the directory of --out DIR, which is not given");
  }
  check_not_result(out_, result_);
  const DeferSignals deferred;
  std::optional<OutputDirectory> out;
  if (!out_.empty()) {
    out.emplace(out_, force_);
  }
  compute();
  const std::string content = json();
  stop_if_signalled();
  if (out) {
    write_text(out->path("average.json"), content);
    out->commit();
  }
  if (json_) {
    print(content);
  }
  if (!json_ && !quiet_) {
    print(table());
  }
  for (const auto& warning : averages_.warnings) {
    print_warning(warning);
  }
}

std::string Average::json() {
  Json j;
  j["version"] = version();
  j["command"] = about.name;
  j["parameters"] = Json::parse(parameters_json(options()));
  j["points"] = averages_.points;
  j["effective_points"] = averages_.effective_points;
  j["mean"] = numbers(averages_.mean);
  j["standard_error"] = numbers(averages_.standard_error);
  j["standard_deviation"] = numbers(averages_.standard_deviation);
  j["warnings"] = averages_.warnings;
  return json_text(j);
}

std::string Average::table() const {
  return fmt::format("{} points, worth {:.1f} equally weighted ones\n\n{}", averages_.points,
                     averages_.effective_points, emphasised(averages_.report()));
}

}  // namespace

std::unique_ptr<Command> make_average() { return std::make_unique<Average>(); }

}  // namespace itomap::cli
