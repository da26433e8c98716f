// itomap scale: which epsilon.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "inputs.hpp"
#include "io/array_checks.hpp"
#include "io/output_file.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/output_directory.hpp"
#include "itomap/scales/kernel_sum.hpp"
#include "itomap/scales/scale_scan.hpp"
#include "map_settings.hpp"
#include "parameters.hpp"
#include "plateau_plot.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr CommandText about{
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
density is chosen as well.
)",
    .usage = "--points FILE [--log-target FILE | --diffusion FILE|A [--drift FILE]] [options]",
    .examples = R"(itomap scale --points x.npy
itomap scale --points x.npy --log-target log_pi.npy
itomap scale --points x.npy --drift b.npy --diffusion 0.5 --min 0.001 --max 1
)"};

class ScaleCommand final : public Command {
 public:
  const CommandText& text() const override { return about; }
  std::vector<Option> options() override;
  void run() override;

 private:
  void check() const;
  MapDefinition definition();
  std::string json() const;
  std::string table() const;

  std::string points_file_;
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
      {"points", "FILE", Group::Input, "m x N, one row per point", cli::text(points_file_), true},
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
      {"memory", "SIZE", Group::Computation, "the most that kernel and eigenvectors may take", bytes(kernel_.memory)},
      {"out", "DIR", Group::Output, "write result.json, with both tables, into this directory", cli::text(out_)},
      {"force", "", Group::Output, "replace DIR if it holds an earlier result and nothing else", flag(force_)},
      {"quiet", "", Group::Output, "no progress; only the recommendation is printed", flag(quiet_)},
      {"json", "", Group::Output, "print both tables as JSON", flag(json_)},
  };
}

void ScaleCommand::check() const {
  if (force_ && out_.empty()) throw InvalidArgument("--force replaces the directory of --out DIR, which is not given");
  if (!out_.empty()) const OutputDirectory probe(out_, force_);
  if (!log_target_file_.empty() && !(drift_file_.empty() && diffusion_text_.empty()))
    throw InvalidArgument("--log-target is for tmd, --drift and --diffusion are for lkd; give one or the other");
  if (!drift_file_.empty() && diffusion_text_.empty())
    throw InvalidArgument("--drift needs --diffusion FILE|A as well; see itomap scale --help");
  if (low_ > 0.0 && high_ > 0.0 && low_ >= high_)
    throw InvalidArgument(fmt::format("--min {:g} is not below --max {:g}; exchange them", low_, high_));
}

MapDefinition ScaleCommand::definition() {
  const Array cloud = read_points(points_file_);
  MapDefinition map;
  map.points = cloud.as_points();
  map.kernel = kernel_;
  map.kernel.threads = static_cast<int>(threads_);
  map.kernel.validate(static_cast<std::size_t>(map.points.cols()));
  detail::check_period(kernel_.period, map.points, points_file_);
  map.alpha = alpha_;
  map.eta = eta_;
  if (!log_target_file_.empty()) {
    map.method = Method::TargetMeasureMap;
    map.log_target = read_values("log-target", log_target_file_, cloud).as_vector();
  }
  if (!diffusion_text_.empty()) {
    map.method = Method::LocalKernelMap;
    map.diffusion = read_diffusion(diffusion_text_, cloud);
    map.diffusion->validate(map.points.rows(), map.points.cols(), eta_);
    map.drift = drift_file_.empty() ? Points::Zero(map.points.rows(), map.points.cols())
                                    : Points(read_vectors("drift", drift_file_, cloud).as_points());
  }
  local_ = map.local();
  return map;
}

std::optional<double> positive(double value) { return value > 0.0 ? std::optional(value) : std::nullopt; }

void ScaleCommand::run() {
  check();
  parameters_ = parameters_json(options());
  const MapDefinition map = definition();
  ProgressDisplay display(!quiet_);
  const DeferSignals deferred;
  {
    const Watchdog watchdog([&] { display.erase(); });
    const auto low = positive(low_);
    const auto high = positive(high_);
    // A local kernel's epsilon is a time: its range is not that of the lengths.
    curve_ = scale_curve(map.points,
                         scale_range(map.points, local_ ? std::nullopt : low, local_ ? std::nullopt : high,
                                     static_cast<Index>(steps_), map.kernel),
                         map.kernel);
    scan_ = scan_scales(
        map, {.modes = static_cast<Index>(modes_), .low = low, .high = high, .progress = display.callback()});
  }
  stop_if_signalled();
  if (!out_.empty()) {
    OutputDirectory out(out_, force_);
    detail::write_text(out.path("result.json"), json());
    out.commit();
  }
  print(json_ ? json() : table());
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json row_json(const ScaleScanRow& row) {
  Json timescales = Json::array();
  for (const double t : row.timescales) timescales.push_back(finite(t));
  return {{"epsilon", row.epsilon},
          {"density_epsilon", row.density_epsilon},
          {"points", row.points},
          {"neighbours", row.neighbours},
          {"components", row.components},
          {"isolated_points", row.isolated_points},
          {"timescales", timescales},
          {"bias", finite(row.bias)},
          {"few_points_bias", finite(row.few_points)},
          {"noise", finite(row.noise)},
          {"usable", row.usable}};
}

std::string ScaleCommand::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about.name;
  j["parameters"] = Json::parse(parameters_);
  j["epsilon"] = scan_.epsilon;
  j["density_epsilon"] = scan_.density_epsilon ? Json(*scan_.density_epsilon) : Json(nullptr);
  j["reason"] = scan_.reason;
  for (Index k = 0; k < curve_.epsilon.size(); ++k)
    j["kernel_sums"].push_back({{"epsilon", curve_.epsilon[k]},
                                {"log_sum", curve_.log_sum[k]},
                                {"dimension", curve_.dimension[k]},
                                {"neighbours", curve_.neighbours[k]}});
  j["scan"] = Json::array();
  for (const auto& row : scan_.rows) j["scan"].push_back(row_json(row));
  j["density_scan"] = Json::array();
  for (const auto& row : scan_.density) j["density_scan"].push_back(row_json(row));
  return j.dump(2) + "\n";
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "-";
  return share < 1.0 ? fmt::format("{:.2g} %", 100.0 * share) : fmt::format("{:.0f} %", 100.0 * share);
}

std::string scan_table(const std::vector<ScaleScanRow>& rows, bool density, double chosen) {
  auto text = Style(stdout).bold(fmt::format("{:>12}{:>12}{:>12}{:>11}{:>12}{:>12}{:>9}{:>9}{:>9}",
                                             density ? "density" : "epsilon", "neighbours", "components", "isolated",
                                             "timescale 1", "2", "bias", "few pts", "noise")) +
              "\n";
  for (const auto& row : rows) {
    const double scale = density ? row.density_epsilon : row.epsilon;
    const auto time = [&](Index n) {
      return n < row.timescales.size() ? fmt::format("{:.5g}", row.timescales[n]) : "-";
    };
    text += fmt::format("{:>12.4g}{:>12.1f}{:>12}{:>11}{:>12}{:>12}{:>9}{:>9}{:>9}{}\n", scale, row.neighbours,
                        row.components, row.isolated_points, time(0), time(1), percent(row.bias),
                        percent(row.few_points), percent(row.noise),
                        scale == chosen ? "  <-"
                        : row.usable    ? ""
                                        : "  not usable");
  }
  return text;
}

/// Table and picture; nothing of no scales, and no picture where none of them was chosen.
std::string scan_text(const std::vector<ScaleScanRow>& rows, bool density, double chosen) {
  if (rows.empty()) return "";
  auto text = "\n" + scan_table(rows, density, chosen);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].usable && chosen == (density ? rows[k].density_epsilon : rows[k].epsilon))
      text += "\n" + plateau_plot(rows, static_cast<Index>(k), density);
  return text;
}

std::string ScaleCommand::table() const {
  const auto verdict = fmt::format(
      "epsilon {:.4g}{}: {}\n", scan_.epsilon,
      scan_.density_epsilon ? fmt::format(", density epsilon {:.4g}", *scan_.density_epsilon) : "", scan_.reason);
  if (quiet_) return verdict;
  const Style style(stdout);
  auto text = style.bold(fmt::format("{:>12}{:>12}{:>12}{:>12}", local_ ? "length^2" : "epsilon", "log sum",
                                     "dimension", "neighbours")) +
              "\n";
  for (Index k = 0; k < curve_.epsilon.size(); ++k)
    text += fmt::format("{:>12.4g}{:>12.4f}{:>12.3f}{:>12.1f}\n", curve_.epsilon[k], curve_.log_sum[k],
                        curve_.dimension[k], curve_.neighbours[k]);
  text += scan_text(scan_.rows, false, scan_.epsilon);
  text += scan_text(scan_.density, true, scan_.density_epsilon.value_or(0.0));
  return text + "\n" + style.bold(verdict);
}

}  // namespace

std::unique_ptr<Command> make_scale() { return std::make_unique<ScaleCommand>(); }

}  // namespace itomap::cli
