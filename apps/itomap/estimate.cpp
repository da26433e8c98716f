// itomap estimate: drift and diffusion from trajectories or bursts.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "command.hpp"
#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/io/estimate.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/io/trajectory_file.hpp"
#include "output_settings.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_estimate{
    .name = "estimate",
    .summary = "drift and diffusion from trajectories or short runs, for lkd",
    .description =
        R"(Estimates b and A of dX = b dt + sigma dW, A = sigma sigma^T / 2, by the Kramers-Moyal formulas: where does
the process go from a point within a short time tau, the lag? Use it when you have a simulation but no formula
for its drift and noise; lkd takes the files as they are.

    b = mean(dX) / tau,   A = cov(dX) / (2 tau),   dX = X(t + tau) - X(t)

From trajectories X(t) are the frames near a query, by --radius or --neighbours, and pairs never reach across two
files. From bursts all runs start at the query. Angles may be wrapped: name their --period. Standard errors count
increments that overlap in time for what they are worth; suggested eta in result.json is the typical error of A.
)",
    .usage = "(--trajectory FILE --dt T | --bursts FILE --start FILE) --lag T --out DIR",
    .examples = R"(itomap estimate --trajectory run.npy --dt 0.01 --lag 0.02 --radius 0.1 --out km
itomap estimate --trajectory a.npy,b.npy --dt 1 --lag 5 --neighbours 500 --align all --out km
itomap estimate --bursts ends.npy --start x.npy --lag 0.01 --out km
itomap estimate --trajectory phi.npy --period 360,360 --dt 1 --lag 1 --neighbours 500 --out km
itomap lkd --points km/points.npy --drift km/drift.npy --diffusion km/diffusion.npy --out result
)"};

constexpr std::uint64_t default_queries = 1000;
constexpr std::uint64_t most_frames = 1000000000;

std::vector<Index> parse_atoms(const std::string& text) {
  std::vector<Index> atoms;
  if (text == "all") {
    return atoms;
  }
  for (const auto& word : split_at_commas(text)) {
    Index atom = -1;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), atom);
    if (status != std::errc{} || end != word.data() + word.size() || atom < 0) {
      throw InvalidArgument(fmt::format("--align {}: it must be all, or atoms counted from 0 like 0,1,2,3", text));
    }
    atoms.push_back(atom);
  }
  return atoms;
}

class Estimate final : public Command {
 public:
  const CommandText& text() const override { return about_estimate; }
  std::vector<Option> options() override;
  void run() override;

 private:
  void check_options() const;
  void check_trajectory_options() const;
  void check_burst_options() const;
  void refuse(const char* option, bool given, const char* other) const;
  std::optional<Alignment> alignment(PointsView reference) const;
  DynamicsEstimate from_trajectories(const Progress& progress);
  DynamicsEstimate from_bursts(const Progress& progress);
  Points queries(const std::vector<Trajectory>& trajectories) const;
  void show(const std::string& json, const DynamicsEstimate& estimate) const;

  std::string trajectory_files_;
  std::string bursts_file_;
  std::string start_file_;
  std::string queries_file_;
  std::optional<std::uint64_t> query_count_;
  std::optional<double> dt_;
  double lag_ = 0;
  std::optional<double> radius_;
  std::optional<std::uint64_t> neighbours_;
  std::vector<double> period_;
  std::string align_;
  std::uint64_t threads_ = 0;
  OutputSettings output_;
  RunRecord run_;
};

std::vector<Option> Estimate::options() {
  std::vector<Option> all{
      {"trajectory", "FILE,..", Group::Input,
       "frames x N, or frames x atoms x 3; several files are several runs. A .npy file is mapped, not read whole",
       cli::text(trajectory_files_)},
      {"dt", "T", Group::Input, "time between two frames of a trajectory", real(dt_, Real::Positive)},
      {"queries", "FILE", Group::Input, "m x N: where to estimate", cli::text(queries_file_)},
      {"query-count", "M", Group::Input,
       "where to estimate, instead of --queries: M frames, evenly thinned, without those that see too few others; "
       "1000, "
       "or all if there are fewer, unless given",
       count(query_count_, 1, most_frames)},
      {"bursts", "FILE", Group::Input, "m x runs x N: ends of short runs from each start, instead of --trajectory",
       cli::text(bursts_file_)},
      {"start", "FILE", Group::Input, "m x N: where the bursts start", cli::text(start_file_)},
      {"lag", "T", Group::Method, "tau, > 0: length of a burst, or a whole number of dt", real(lag_, Real::Positive),
       true},
      {"radius", "R", Group::Method, "use the frames at most R from a query, > 0", real(radius_, Real::Positive)},
      {"neighbours", "K", Group::Method, "use the K frames nearest to a query, K >= 2",
       count(neighbours_, 2, most_frames)},
      {"period", "P1,P2,..", Group::Method,
       "length of one period of each coordinate, 0 where it is not periodic: increments and distances are the shortest "
       "way around",
       lengths(period_)},
      {"align", "ATOMS", Group::Method,
       "first of all take translation and rotation out: fit these atoms (0,1,2,3 or all; x y z of each in turn) on the "
       "first frame; increments turn with their start",
       cli::text(align_)},
      {"threads", "T", Group::Computation,
       "worker threads, 0 for all cores; the result has the same bits for any number",
       count(threads_, 0, most_threads)},
  };
  auto more = output_options(output_, /*required=*/true);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void Estimate::refuse(const char* option, bool given, const char* other) const {
  if (given) {
    throw InvalidArgument(fmt::format("--{} does not go with --{}; leave it out", option, other));
  }
}

void Estimate::check_trajectory_options() const {
  refuse("start", !start_file_.empty(), "trajectory");
  if (!dt_) {
    throw InvalidArgument("--trajectory needs --dt T, the time between two frames");
  }
  if (radius_.has_value() == neighbours_.has_value()) {
    throw InvalidArgument("--trajectory needs exactly one of --radius R and --neighbours K");
  }
  if (query_count_ && !queries_file_.empty()) {
    throw InvalidArgument("--queries and --query-count exclude each other; keep one");
  }
}

void Estimate::check_burst_options() const {
  if (start_file_.empty()) {
    throw InvalidArgument("--bursts needs --start FILE, the points where the runs start");
  }
  refuse("dt", dt_.has_value(), "bursts");
  refuse("radius", radius_.has_value(), "bursts");
  refuse("neighbours", neighbours_.has_value(), "bursts");
  refuse("queries", !queries_file_.empty(), "bursts");
  refuse("query-count", query_count_.has_value(), "bursts");
}

void Estimate::check_options() const {
  output_.check_output();
  if (trajectory_files_.empty() == bursts_file_.empty()) {
    throw InvalidArgument(
        "estimate needs exactly one of --trajectory FILE and --bursts FILE; see itomap estimate --help");
  }
  trajectory_files_.empty() ? check_burst_options() : check_trajectory_options();
  parse_atoms(align_.empty() ? "all" : align_);
}

std::optional<Alignment> Estimate::alignment(PointsView reference) const {
  if (align_.empty()) {
    return {};
  }
  return Alignment{.reference = reference.row(0), .atoms = parse_atoms(align_)};
}

Points Estimate::queries(const std::vector<Trajectory>& trajectories) const {
  if (!queries_file_.empty()) {
    return read_places("queries", queries_file_).as_points();
  }
  Index total = 0;
  for (const auto& trajectory : trajectories) {
    total += trajectory.frames();
  }
  const auto wanted = query_count_.value_or(std::min<std::uint64_t>(default_queries, std::uint64_t(total)));
  if (wanted > std::uint64_t(total)) {
    throw InvalidArgument(fmt::format("--query-count {}: there are {} frames only; give fewer", wanted, total));
  }
  return thin_frames(trajectories, Index(wanted));
}

DynamicsEstimate Estimate::from_trajectories(const Progress& progress) {
  std::vector<Trajectory> trajectories;
  Points places, first, storage;
  {
    const Stopwatch timer(run_.seconds["read"]);
    for (const auto& file : split_at_commas(trajectory_files_)) {
      trajectories.push_back(open_trajectory(file));
    }
    for (const auto& trajectory : trajectories) {
      if (trajectory.dimension() != trajectories[0].dimension()) {
        throw InvalidArgument(fmt::format("{} has {} coordinates a frame but {} has {}; they must agree",
                                          trajectory.name(), trajectory.dimension(), trajectories[0].name(),
                                          trajectories[0].dimension()));
      }
    }
    places = queries(trajectories);
    first = trajectories[0].block(0, 1, storage);
  }
  const Stopwatch timer(run_.seconds["estimate"]);
  return estimate_dynamics(trajectories, places,
                           {.dt = *dt_,
                            .lag = lag_,
                            .radius = radius_,
                            .neighbours = neighbours_ ? std::optional(Index(*neighbours_)) : std::nullopt,
                            .period = period_,
                            .align = alignment(first),
                            .leave_out_poor = queries_file_.empty(),
                            .execution = {.threads = int(threads_), .progress = progress}});
}

DynamicsEstimate Estimate::from_bursts(const Progress& progress) {
  Array starts, bursts;
  {
    const Stopwatch timer(run_.seconds["read"]);
    starts = read_places("start", start_file_);
    bursts = read_bursts(bursts_file_, starts);
  }
  const Stopwatch timer(run_.seconds["estimate"]);
  return estimate_dynamics_from_bursts(starts.as_points(), bursts.as_points(),
                                       {.lag = lag_,
                                        .period = period_,
                                        .align = alignment(starts.as_points()),
                                        .execution = {.threads = int(threads_), .progress = progress}});
}

void Estimate::run() {
  check_options();
  run_.command = text().name;
  run_.parameters_json = parameters_json(options());
  const DeferSignals deferred;
  std::optional<OutputDirectory> out(std::in_place, output_.out, output_.force);
  DynamicsEstimate estimate;
  {
    ProgressDisplay display(!output_.quiet);
    const Watchdog watchdog([&] {
      out.reset();
      display.erase();
    });
    estimate = trajectory_files_.empty() ? from_bursts(display.callback()) : from_trajectories(display.callback());
  }
  stop_if_signalled();
  const auto json = write_estimate(*out, estimate, run_);
  stop_if_signalled();
  out->commit();
  show(json, estimate);
}

void Estimate::show(const std::string& json, const DynamicsEstimate& estimate) const {
  if (output_.json) {
    print(json);
  }
  const bool table = !output_.json && !output_.quiet;
  double seconds = 0;
  for (const auto& stage : run_.seconds) {
    seconds += stage.second;
  }
  if (table) {
    auto text = emphasised(estimate.report());
    text.insert(text.find('\n', text.find("\n  points") + 1),
                ", from " + (trajectory_files_.empty() ? bursts_file_ : trajectory_files_));
    print(text + "\n" + Style(stdout).dim(fmt::format("{:.2f} s", seconds)) + "\n");
  }
  for (const auto& warning : estimate.warnings) {
    print_warning(warning);
  }
  if (table) {
    print(written_to(output_.out));
  }
}

}  // namespace

std::unique_ptr<Command> make_estimate() { return std::make_unique<Estimate>(); }

}  // namespace itomap::cli
