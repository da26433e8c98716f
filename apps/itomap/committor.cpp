// itomap committor: how the process of a result gets from one set of points to another.
#include "itomap/analysis/committor.hpp"
#include "json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "error_bar_settings.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/index_file.hpp"
#include "itomap/io/output_directory.hpp"
#include "result_command.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_committor{
    .name = "committor",
    .summary = "committor, passage times, reactive flux and rate between two sets of points",
    .description =
        R"(Says how the process of a result gets from a set A of points to a set B: at each point the probability to
reach B before A, the mean times until either is reached, where the passages squeeze through, and how many
there are per unit of time. A and B are files of point numbers, counted from 0, or masks with one entry for
each point. The result of dmap, tmd or lkd may be reversible or not.

    L q = 0 off A and B,   q = 0 on A,  1 on B          committor
    L t = -1 off B,   t = 0 on B                        mean first passage time to B
    F = sum_{i in A} phi_i (L q)_i,   k = F / sum_i phi_i q-_i   flux and rate

How long from A to B has two answers: 1 / k counts from the entrance into A, coming from B; the mean of t over
A, by stationary weight, from a point within A. Points that cannot arrive are counted and left out of it.

--error-bars B adds what rates, times and committor are at epsilon = 0 and for many points, and their standard
errors, from the map without each of B blocks of consecutive rows and at 2 and 4 epsilon.

Files go into the result directory, or into --out DIR.
)",
    .usage = "--result DIR --source FILE --sink FILE [options]",
    .examples = R"(itomap committor --result result --source left.npy --sink right.npy
itomap committor --result result --source a.csv --sink b.csv --out passage --json
itomap committor --result result --source a.csv --sink b.csv --error-bars 10
)"};

constexpr const char* committor_json = "committor.json";

constexpr std::string_view passage_bars_help =
    "error bars from the map without each of B blocks of consecutive rows, and at 2 and 4 epsilon: all systems some "
    "3 (B + 1) times; 10 is a good number, 0 for none";

Json estimate_json(const PassageEstimate& e) {
  return {{"noise", number(e.noise)}, {"extrapolated", number(e.extrapolated)}, {"error", number(e.error)}};
}

Json bars_json(const CommittorErrorBars& bars) {
  Json j = replication_json(bars);
  j["flux"] = estimate_json(bars.total_flux);
  j["rate"] = estimate_json(bars.rate);
  j["reverse_rate"] = estimate_json(bars.reverse_rate);
  j["passage_times"] = {{"source_to_sink", estimate_json(bars.source_to_sink)},
                        {"sink_to_source", estimate_json(bars.sink_to_source)}};
  j["warnings"] = bars.warnings;
  return j;
}

std::string_view status_text(SolveStatus status) {
  switch (status) {
    case SolveStatus::Converged:
      return "converged";
    case SolveStatus::RoundingLimit:
      return "limited by rounding";
    case SolveStatus::NotConverged:
      break;
  }
  return "not converged";
}

Json solves_json(const std::vector<SolveReport>& solves) {
  Json list = Json::array();
  for (const SolveReport& solve : solves) {
    list.push_back({{"system", solve.name},
                    {"products", solve.products},
                    {"residual", number(solve.residual)},
                    {"status", status_text(solve.status)}});
  }
  return list;
}

/// One row for each point of the user's data; NaN for those that were left out of the map.
Block on_user_rows(const Map& map, const Block& values) {
  Block rows = Block::Constant(map.input_points(), values.cols(), std::numeric_limits<double>::quiet_NaN());
  rows(map.kept(), Eigen::all) = values;
  return rows;
}

class Committor final : public ResultCommand {
 public:
  const CommandText& text() const override { return about_committor; }
  std::vector<Option> options() override;

 private:
  void check_options() const override;
  bool has_shares() const override { return error_bars_.blocks > 0; }
  std::vector<Index> read_set(const std::string& option, const std::string& file);
  void compute(const Progress& progress) override;
  void write(const PathOf& path) const override;
  std::string json() const;
  std::string table() const;
  void show() const override;

  std::string source_file_;
  std::string sink_file_;
  double tolerance_ = CommittorOptions{}.tolerance;
  bool chain_edges_ = false;
  ErrorBarSettings error_bars_;

  std::optional<Map> map_;
  std::vector<Index> source_;
  std::vector<Index> sink_;
  std::vector<std::string> dropped_;  // warnings
  CommittorResult result_;
  std::optional<CommittorErrorBars> bars_;
};

std::vector<Option> Committor::options() {
  auto all = leading_options(settings_);
  all.push_back({"source", "FILE", Group::Input, "A: numbers of points, counted from 0, or a mask of m entries",
                 cli::text(source_file_), true});
  all.push_back({"sink", "FILE", Group::Input, "B: the same; must not overlap A", cli::text(sink_file_), true});
  all.push_back({"tolerance", "TOL", Group::Computation,
                 "largest residual of a linear system, relative to its right-hand side, 0 < TOL < 1",
                 real(tolerance_, Real::Fraction)});
  all.push_back({"chain-edges", "", Group::Method,
                 "let the process meet the sets once every epsilon, as the chain does, so that they seem smaller than "
                 "they are: L q = 0 to the letter. Unless given, steps next to a set are weighted so that its edge is "
                 "where it is",
                 flag(chain_edges_)});
  for (auto&& more : {error_bar_options(error_bars_, passage_bars_help),
                      trailing_options(settings_, "write into this directory instead of the result's")}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void Committor::check_options() const {
  settings_.check_joining(std::vector<std::string>{
      "committor.npy", "backward_committor.npy", "passage_times.npy", "flux.npy", "extrapolated_committor.npy",
      "committor_errors.npy", "extrapolated_passage_times.npy", "passage_time_errors.npy", committor_json});
}

/// Numbers of points of the map. Those that were left out of it when it was made belong to no set.
std::vector<Index> Committor::read_set(const std::string& option, const std::string& file) {
  const auto& kept = map_->kept();
  std::vector<Index> set;
  std::size_t dropped = 0;
  for (const Index row : read_indices(file, map_->input_points())) {
    const auto found = std::lower_bound(kept.begin(), kept.end(), row);
    if (found != kept.end() && *found == row) {
      set.push_back(found - kept.begin());
    } else {
      ++dropped;
    }
  }
  if (set.empty()) {
    throw InvalidArgument(
        fmt::format("--{}: all points of {} were left out of the map as isolated; choose others", option, file));
  }
  if (dropped > 0) {
    dropped_.push_back(fmt::format("{}: {} of {} {} not in the map, left out as isolated", option,
                                   plural(dropped, "point"), file, dropped == 1 ? "is" : "are"));
  }
  return set;
}

void Committor::compute(const Progress& progress) {
  Result loaded = load(progress);
  map_ = std::move(loaded.map);
  stop_if_signalled();
  source_ = read_set("source", source_file_);
  sink_ = read_set("sink", sink_file_);
  const Stopwatch timer(seconds_);
  const CommittorOptions options{.tolerance = tolerance_, .sharp_edges = !chain_edges_};
  result_ = committor(*map_, loaded.spectrum, source_, sink_, options);
  result_.warnings.insert(result_.warnings.begin(), dropped_.begin(), dropped_.end());
  if (error_bars_.blocks > 0) {
    bars_ = committor_error_bars(*map_, loaded.spectrum, source_, sink_, error_bars_.options(), options);
  }
}

void Committor::write(const PathOf& path) const {
  const auto save = [&](const char* name, const Block& values) {
    const Block rows = on_user_rows(*map_, values);
    const auto m = static_cast<std::size_t>(rows.rows());
    const auto columns = static_cast<std::size_t>(rows.cols());
    write_npy(path(name), {rows.data(), m * columns}, columns == 1 ? std::vector{m} : std::vector{m, columns});
  };
  save("committor.npy", result_.forward);
  if (!map_->reversible()) {
    save("backward_committor.npy", result_.backward);
  }
  Block times(result_.forward.size(), 2);
  times << result_.time_to_sink, result_.time_to_source;
  save("passage_times.npy", times);
  save("flux.npy", result_.flux);
  if (bars_) {
    save("extrapolated_committor.npy", bars_->forward.extrapolated);
    save("committor_errors.npy", bars_->forward.error);
    times << bars_->time_to_sink.extrapolated, bars_->time_to_source.extrapolated;
    save("extrapolated_passage_times.npy", times);
    times << bars_->time_to_sink.error, bars_->time_to_source.error;
    save("passage_time_errors.npy", times);
  }
  write_text(path(committor_json), json());
}

std::string Committor::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about_committor.name;
  j["parameters"] = Json::parse(parameters_);
  j["points"] = map_->input_points();
  j["source_points"] = source_.size();
  j["sink_points"] = sink_.size();
  j["reversible"] = map_->reversible();
  j["flux"] = number(result_.total_flux);
  j["flux_into_sink"] = number(result_.flux_into_sink);
  j["rate"] = number(result_.rate);
  j["reverse_rate"] = number(result_.reverse_rate);
  j["inverse_rates"] = {
      {"source_to_sink", number(1 / result_.rate)},
      {"sink_to_source", number(1 / result_.reverse_rate)},
      {"definition",
       "mean time from the entrance into the first set, coming from the second, to the entrance into the second"}};
  j["passage_times"] = {
      {"source_to_sink", number(result_.source_to_sink)},
      {"sink_to_source", number(result_.sink_to_source)},
      {"weights", "stationary"},
      {"definition", "mean first passage time from the points of the first set that can arrive, by stationary weight"}};
  if (bars_) {
    j["error_bars"] = bars_json(*bars_);
  }
  j["cannot_arrive"] = {{"source_points", result_.stuck_in_source}, {"sink_points", result_.stuck_in_sink}};
  j["converged"] = result_.converged();
  j["solves"] = solves_json(result_.solves);
  j["matvecs"] = result_.products();
  j["undefined_points"] = result_.undefined_points;
  j["warnings"] = result_.warnings;
  j["seconds"] = {{"load", load_seconds_}, {"committor", seconds_}};
  return json_text(j);
}

std::string Committor::table() const {
  auto text = emphasised(result_.report());
  const auto points = text.find('\n', text.find("\n  points") + 1);
  text.insert(points, fmt::format(": {} and {}", source_file_, sink_file_));
  const auto bars = bars_ ? "\n" + bars_->report() : std::string();
  return text + bars + "\n" +
         Style(stdout).dim(fmt::format("{:.2f} s (load {:.2f} s)", load_seconds_ + seconds_, load_seconds_)) + "\n";
}

void Committor::show() const {
  if (settings_.json) {
    print(json());
  }
  const bool shown = !settings_.json && !settings_.quiet;
  if (shown) {
    print(table());
  }
  for (const auto& warning : result_.warnings) {
    print_warning(warning);
  }
  for (const auto& warning : bars_ ? bars_->warnings : std::vector<std::string>()) {
    print_warning(warning);
  }
  if (!shown) {
    return;
  }
  const std::string names =
      fmt::format("committor.npy, {}passage_times.npy, flux.npy, {}committor.json",
                  map_->reversible() ? "" : "backward_committor.npy, ",
                  bars_ ? "extrapolated_committor.npy, committor_errors.npy, extrapolated_passage_times.npy, "
                          "passage_time_errors.npy, "
                        : "");
  print(fmt::format("Written to {}: {}\n", settings_.out.empty() ? settings_.result : settings_.out, names));
}

}  // namespace

std::unique_ptr<Command> make_committor() { return std::make_unique<Committor>(); }

}  // namespace itomap::cli
