// itomap scale: which epsilon.
#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/added_files.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/io/result.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "itomap/scales/scale_scan.hpp"
#include "json.hpp"
#include "map_settings.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "result_settings.hpp"
#include "signals.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "world.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_scale{
    .name = "scale",
    .summary = "which epsilon: a scan over scales, with a recommendation",
    .description =
        R"(Scans the scale epsilon of a map. First the sum of all kernel values over a range of scales: its logarithmic
slope is half the intrinsic dimension, and highest at the classical choice. Then the map itself, each scale half
of the one before: neighbours, components, the leading time scales and their errors. From how the time scales change
from one scale to the next two biases are told apart, that of the kernel's width, which grows with epsilon, and that
of few points, which grows as epsilon shrinks; the noise comes from leaving out blocks of rows. The recommendation has
the smallest sum of squares; modes that are flagged as outliers do not count. --epsilon auto of dmap, tmd and lkd
takes it. A picture shows where the time scales have a plateau.

Without --log-target, --drift and --diffusion the map is dmap's; with them, tmd's or lkd's. For lkd the scale of the
density is chosen as well. With --result it is the map of a result, with all its options, and the scan joins that
directory as scale.json.
)",
    .usage = "--points FILE [--log-target FILE | --diffusion FILE|A [--drift FILE]] [options]",
    .examples = R"(itomap scale --points x.npy
itomap scale --points x.npy --log-target log_pi.npy
itomap scale --distances rmsd.npy
itomap scale --result result
itomap scale --points x.npy --drift b.npy --diffusion 0.5 --min 0.001 --max 1
)"};

constexpr const char* scan_name = "scale.json";

class ScaleCommand final : public Command {
 public:
  const CommandText& text() const override { return about_scale; }
  std::vector<Option> options() override;
  void run() override;
  bool shares_work() const override { return true; }

 private:
  void check() const;
  void check_output() const;
  MapDefinition definition(const Execution& execution);
  MapDefinition given_definition();
  MapDefinition stored_definition(const Execution& execution);
  void compute(const Progress& progress);
  void write() const;
  std::string json() const;
  std::string table() const;

  std::string points_file_;
  std::string distances_file_;
  std::string result_;
  std::string log_target_file_;
  std::string drift_file_;
  std::string diffusion_text_;
  double alpha_ = MapDefinition{}.alpha;
  double eta_ = MapDefinition{}.eta;
  double low_ = 0.0;
  double high_ = 0.0;
  std::uint64_t steps_ = 25;
  std::uint64_t modes_ = static_cast<std::uint64_t>(ScaleScanOptions{}.modes);
  std::uint64_t threads_ = 0;
  std::optional<std::size_t> memory_;
  KernelOptions kernel_;
  std::string out_;
  bool force_ = false;
  bool quiet_ = false;
  bool json_ = false;

  std::string parameters_;
  ScaleCurve curve_;
  ScaleScan scan_;
  bool local_ = false;
};

std::vector<Option> ScaleCommand::options() {
  return {
      {"points",
       "FILE",
       Group::Input,
       "m x N, one row per point",
       cli::text(points_file_),
       true,
       false,
       {"distances", "result"}},
      distances_option(distances_file_),
      {"result", "DIR", Group::Input,
       "instead of points: the map of a result directory, which scale.json then joins, to be shown by itomap report",
       cli::text(result_)},
      {"log-target", "FILE", Group::Input, "log pi at the points: the map is tmd's", cli::text(log_target_file_)},
      {"drift", "FILE", Group::Input, "b at the points: the map is lkd's", cli::text(drift_file_)},
      {"diffusion", "FILE|A", Group::Input, "A at the points: the map is lkd's", cli::text(diffusion_text_)},
      {"period", "P1,P2,..", Group::Input, "length of one period of each coordinate, 0 where it is not periodic",
       lengths(kernel_.period)},
      {"min", "X", Group::Method, "smallest scale; where nearest neighbours lie unless given",
       real(low_, Real::Positive)},
      {"max", "X", Group::Method, "largest scale; where the kernel covers the data unless given",
       real(high_, Real::Positive)},
      {"steps", "K", Group::Method, "scales at which kernel sums are printed", count(steps_, 2, 1000)},
      {"eigs", "K", Group::Method, "leading time scales that count", count(modes_, 1, 100)},
      {"alpha", "A", Group::Method, "of dmap", real(alpha_, Real::Any)},
      {"eta", "X", Group::Method, "of lkd", real(eta_, Real::NonNegative)},
      {"cutoff", "TOL", Group::Computation, "kernel entries below it are left out",
       real(kernel_.cutoff, Real::Fraction)},
      {"threads", "T", Group::Computation, "worker threads, 0 for all cores", count(threads_, 0, 1024)},
      {"memory", "SIZE", Group::Computation, "the most that kernel and eigenvectors may take", bytes(memory_)},
      {"out", "DIR", Group::Output, "write result.json, with both tables, into this directory", cli::text(out_)},
      {"force", "", Group::Output,
       "replace DIR if it holds an earlier result and nothing else, or an earlier scale.json", flag(force_)},
      {"quiet", "", Group::Output, "no progress; only the recommendation is printed", flag(quiet_)},
      {"json", "", Group::Output, "print both tables as JSON", flag(json_)},
  };
}

void ScaleCommand::check() const {
  if (!distances_file_.empty() && !(drift_file_.empty() && diffusion_text_.empty())) {
    throw InvalidArgument("--drift and --diffusion need --points: distances have no directions");
  }
  if (force_ && out_.empty() && result_.empty()) {
    throw InvalidArgument("--force replaces the directory of --out DIR, which is not given");
  }
  if (!log_target_file_.empty() && !(drift_file_.empty() && diffusion_text_.empty())) {
    throw InvalidArgument("--log-target is for tmd, --drift and --diffusion are for lkd; give one or the other");
  }
  if (!drift_file_.empty() && diffusion_text_.empty()) {
    throw InvalidArgument("--drift needs --diffusion FILE|A as well; see itomap scale --help");
  }
  if (low_ > 0.0 && high_ > 0.0 && low_ >= high_) {
    throw InvalidArgument(fmt::format("--min {:g} is not below --max {:g}; exchange them", low_, high_));
  }
}

void ScaleCommand::check_output() const {
  if (!out_.empty()) {
    check_not_result(out_, result_);
    const OutputDirectory probe(out_, force_);
  } else if (!result_.empty()) {
    ResultSettings joined;
    joined.result = result_;
    joined.force = force_;
    joined.check_joining(std::vector<std::string>{scan_name});
  }
}

// Everything that defines the map is in the directory.
MapDefinition ScaleCommand::stored_definition(const Execution& execution) {
  for (const auto& [name, given] : {std::pair("--log-target", !log_target_file_.empty()),
                                    {"--drift", !drift_file_.empty()},
                                    {"--diffusion", !diffusion_text_.empty()},
                                    {"--period", !kernel_.period.empty()}}) {
    if (given) {
      throw InvalidArgument(fmt::format("{} is in the result already; leave it out, or give --points", name));
    }
  }
  return load(result_, execution).map.definition();
}

MapDefinition ScaleCommand::definition(const Execution& execution) {
  MapDefinition map = result_.empty() ? given_definition() : stored_definition(execution);
  local_ = map.local();
  map.validate();
  return map;
}

MapDefinition ScaleCommand::given_definition() {
  MapDefinition map;
  Array cloud;
  if (distances_file_.empty()) {
    cloud = read_points(points_file_);
    map.points = cloud.cloud();
  } else {
    map.distances = read_distances_of_points(distances_file_, cloud);
  }
  map.kernel = kernel_;
  map.alpha = alpha_;
  map.eta = eta_;
  if (!log_target_file_.empty()) {
    map.method = Method::TargetMeasureMap;
    map.log_target = read_values("log-target", log_target_file_, cloud).as_vector();
  }
  if (!diffusion_text_.empty()) {
    map.method = Method::LocalKernelMap;
    map.diffusion = read_diffusion(diffusion_text_, cloud);
    map.drift = drift_file_.empty() ? Points::Zero(map.points.rows(), map.points.cols())
                                    : Points(read_vectors("drift", drift_file_, cloud).as_points());
  }
  return map;
}

std::optional<double> positive(double value) { return value > 0.0 ? std::optional(value) : std::nullopt; }

void ScaleCommand::run() {
  check();
  if (world().first()) {
    check_output();
  }
  parameters_ = parameters_json(options());
  ProgressDisplay display(!quiet_ && world().first());
  const DeferSignals deferred;
  {
    const Watchdog watchdog([&] { display.erase(); });
    compute(display.callback());
  }
  stop_if_signalled();
  if (!world().first()) {
    return;
  }
  write();
  print(json_ ? json() : table());
}

void ScaleCommand::compute(const Progress& progress) {
  const Execution execution =
      share_of_machine({.threads = static_cast<int>(threads_), .memory = memory_, .progress = progress});
  const MapDefinition map = definition(execution);
  const auto low = positive(low_);
  const auto high = positive(high_);
  // A local kernel's epsilon is a time: its range is not that of the lengths.
  const auto sums_over = [&](const auto& cloud) {
    const Vector range = scale_range(cloud, local_ ? std::nullopt : low, local_ ? std::nullopt : high,
                                     static_cast<Index>(steps_), map.kernel, execution);
    curve_ = scale_curve(cloud, range, map.kernel, execution);
  };
  if (map.distances.empty()) {
    sums_over(map.points.view());
  } else {
    sums_over(map.distances);
  }
  scan_ = scan_scales(
      map, {.modes = static_cast<Index>(modes_), .low = low, .high = high, .execution = execution, .ranks = &world()});
}

void ScaleCommand::write() const {
  if (!out_.empty()) {
    OutputDirectory out(out_, force_);
    write_text(out.path("result.json"), json());
    out.commit();
  } else if (!result_.empty()) {
    AddedFiles added(result_);
    write_text(added.path(scan_name), json());
    added.commit();
  }
}

Json row_json(const ScaleScanRow& row) {
  return {{"epsilon", row.epsilon},
          {"density_epsilon", row.density_epsilon},
          {"points", row.points},
          {"neighbours", row.neighbours},
          {"components", row.components},
          {"isolated_points", row.isolated_points},
          {"timescales", numbers(row.timescales)},
          {"bias", number(row.bias)},
          {"few_points_bias", number(row.few_points)},
          {"noise", number(row.noise)},
          {"usable", row.usable}};
}

std::string ScaleCommand::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about_scale.name;
  j["parameters"] = Json::parse(parameters_);
  j["epsilon"] = scan_.epsilon;
  j["density_epsilon"] = scan_.density_epsilon ? Json(*scan_.density_epsilon) : Json(nullptr);
  j["reason"] = scan_.reason;
  for (Index k = 0; k < curve_.epsilon.size(); ++k) {
    j["kernel_sums"].push_back({{"epsilon", curve_.epsilon[k]},
                                {"log_sum", curve_.log_sum[k]},
                                {"dimension", curve_.dimension[k]},
                                {"neighbours", curve_.neighbours[k]}});
  }
  j["scan"] = Json::array();
  for (const auto& row : scan_.rows) {
    j["scan"].push_back(row_json(row));
  }
  j["density_scan"] = Json::array();
  for (const auto& row : scan_.density) {
    j["density_scan"].push_back(row_json(row));
  }
  return json_text(j);
}

std::string ScaleCommand::table() const {
  if (quiet_) {
    return scan_.verdict();
  }
  return fmt::format("{}{}\n{}", local_ ? "Kernel sums over squared lengths:\n" : "", emphasised(curve_.report()),
                     emphasised(scan_.report()));
}

}  // namespace

std::unique_ptr<Command> make_scale() { return std::make_unique<ScaleCommand>(); }

}  // namespace itomap::cli
