// itomap sample: points of a built-in Itô system, by Euler-Maruyama.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "command.hpp"
#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/dynamics/euler_maruyama.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/build_info.hpp"
#include "itomap/io/output_directory.hpp"
#include "json.hpp"
#include "output_settings.hpp"
#include "parameters.hpp"
#include "progress_display.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "suggest.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_sample{
    .name = "sample",
    .summary = "points of a built-in Itô system, with its target, drift and diffusion",
    .description =
        R"(Simulates dX = b dt + sigma dW by forward Euler steps (Euler-Maruyama) and writes the points together with
what the maps want to know there: log pi for tmd, drift and diffusion for lkd. Use it to try a map on a system whose
answer is known, or to see what a large time step, a high temperature or a short run does to a sample.

    X <- X + dt b(X) + sqrt(dt) sigma(X) xi,      A = sigma sigma^T / 2

Systems with a potential U follow dX = -beta grad U dt + sqrt(2) dW, with pi = exp(-beta U) and A = 1: beta multiplies
the drift. A step that would leave the box is not taken, and the number of such steps is reported: with a large time
step a chain might otherwise jump to where the next step throws it to infinity.
itomap sample --list names the systems.
)",
    .usage = "--system NAME --dt T --steps N --out DIR [options]",
    .examples = R"(itomap sample --list
itomap sample --system double-well --beta 6 --dt 0.03 --steps 1000000 --thin 100 --out biased
itomap tmd --points biased/points.npy --log-target biased/log_target.npy --out result
itomap sample --system temperature-switch --beta 1 --dt 0.02 --steps 5000 --start -1,-1 --out hot
itomap sample --system ornstein-uhlenbeck --dimension 5 --dt 0.01 --steps 100000 --out ou
)"};

constexpr std::uint64_t most_steps = 1000000000000;
constexpr std::uint64_t most_dimensions = 1000;
/// A share of rejected steps above which the box, not the process, shapes the sample.
constexpr double notable_share = 1e-3;

std::optional<std::vector<double>> parse_reals(const std::string& text) {
  std::vector<double> values;
  for (const auto& part : split_at_commas(text)) {
    const auto value = parse_real(part);
    if (!value) {
      return {};
    }
    values.push_back(*value);
  }
  return values;
}

/// "low:high" as two numbers, NaN where there are none.
std::pair<double, double> parse_interval(const std::string& text) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    return {none, none};
  }
  return {parse_real(text.substr(0, colon)).value_or(none), parse_real(text.substr(colon + 1)).value_or(none)};
}

Box parse_intervals(const std::string& text, Index dimension) {
  const auto parts = split_at_commas(text);
  Box box = Box::cube(Index(parts.size()), 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::tie(box.low[Index(i)], box.high[Index(i)]) = parse_interval(parts[i]);
  }
  if (Index(parts.size()) != dimension || !(box.low.array() < box.high.array()).all()) {
    throw InvalidArgument(fmt::format(
        "--box {}: it must be system, none, a half width > 0, or low:high for each of {} coordinates with commas", text,
        dimension));
  }
  return box;
}

std::optional<Box> parse_box(const std::string& text, const ItoSystem& system) {
  if (text == "none") {
    return {};
  }
  if (text == "system") {
    return system.box;
  }
  const auto half_width = parse_real(text);
  return half_width && *half_width > 0.0 ? Box::cube(system.dimension, *half_width)
                                         : parse_intervals(text, system.dimension);
}

/// Numbers for all chains, or a file with one row for each.
Points read_start(const std::string& text, Index dimension, std::uint64_t chains) {
  Points start;
  if (text.empty()) {
    return start;
  }
  const auto numbers = parse_reals(text);
  if (numbers) {
    start = Eigen::Map<const Points>(numbers->data(), 1, Index(numbers->size()));
  } else {
    start = read_places("start", text).as_points();
  }
  if (start.cols() != dimension || (start.rows() != 1 && std::uint64_t(start.rows()) != chains)) {
    throw InvalidArgument(
        fmt::format("--start {}: {} x {} numbers, but the system has {} and there {}; give one row, "
                    "or one for each chain",
                    text, start.rows(), start.cols(), plural(std::size_t(dimension), "coordinate"),
                    chains == 1 ? "is 1 chain" : fmt::format("are {} chains", chains)));
  }
  return start;
}

class Sample final : public Command {
 public:
  const CommandText& text() const override { return about_sample; }
  std::vector<Option> options() override;
  void run() override;

 private:
  void check_options() const;
  void check_size(Index dimension) const;
  EulerOptions euler_options(const ItoSystem& system, const Progress& progress) const;
  void simulate();
  std::string json(const ItoSystem& system, const Simulation& simulation);
  void write(const OutputDirectory& out, const ItoSystem& system, const Simulation& simulation);
  void show(const std::string& json, const ItoSystem& system, const Simulation& simulation) const;

  bool list_ = false;
  std::string system_;
  std::optional<double> beta_;
  std::optional<std::uint64_t> dimension_;
  std::string start_;
  std::optional<double> dt_;
  std::optional<std::uint64_t> steps_;
  std::uint64_t thin_ = 1;
  std::uint64_t burn_in_ = 0;
  std::uint64_t chains_ = 1;
  std::string box_ = "system";
  std::uint64_t seed_ = 0;
  std::uint64_t threads_ = 0;
  OutputSettings output_;
  std::map<std::string, double> seconds_;
};

std::vector<Option> Sample::options() {
  constexpr auto in = Group::Input, method = Group::Method, compute = Group::Computation, out = Group::Output;
  return {
      {"list", "", in, "print the names of all systems with one line on each, and do nothing else", flag(list_)},
      {"system", "NAME", in, "which system (required)", cli::text(system_)},
      {"beta", "B", in, "inverse temperature, > 0; --list shows each system's own choice", real(beta_, Real::Positive)},
      {"dimension", "N", in, "number of coordinates, for ornstein-uhlenbeck; 2 unless given",
       count(dimension_, 1, most_dimensions)},
      {"start", "X,Y,..|FILE", in,
       "where the chains start: numbers, or a file with one row for each chain; a well of the system unless given",
       cli::text(start_)},
      {"dt", "T", method, "time step, > 0 (required)", real(dt_, Real::Positive)},
      {"steps", "N", method, "steps of each chain, burn-in not counted (required)", count(steps_, 1, most_steps)},
      {"thin", "K", method, "keep every K-th step", count(thin_, 1, most_steps)},
      {"burn-in", "N", method, "steps of each chain to throw away first", count(burn_in_, 0, most_steps)},
      {"chains", "C", method, "independent chains; their points follow each other", count(chains_, 1, most_steps)},
      {"box", "BOX", method,
       "steps that would leave it are not taken: system (where pi is above 4e-10 of its maximum), none, a half width, "
       "or low:high of each coordinate with commas",
       cli::text(box_)},
      {"seed", "S", compute, "of the noise", count(seed_, 0, UINT64_MAX)},
      {"threads", "T", compute, "worker threads, 0 for all cores; one chain runs on one",
       count(threads_, 0, most_threads)},
      {"out", "DIR", out,
       "write sample.json and the arrays into this directory, which appears whole or not at all (required)",
       cli::text(output_.out)},
      {"force", "", out, "replace DIR if it exists", flag(output_.force)},
      {"quiet", "", out, "no progress and no table; warnings and errors remain", flag(output_.quiet)},
      {"json", "", out, "print the content of sample.json instead of the table", flag(output_.json)},
  };
}

std::string list_text() {
  const Style style(stdout);
  std::string text;
  for (const auto& info : list_systems()) {
    text += fmt::format("{}{}beta {:<5g}{}\n", style.bold(info.name), std::string(21 - info.name.size(), ' '),
                        info.beta, info.summary);
  }
  return text;
}

void require(bool given, std::string_view option) {
  if (!given) {
    throw InvalidArgument(fmt::format("sample needs {}; see itomap sample --help", option));
  }
}

void Sample::check_options() const {
  require(!system_.empty(), "--system NAME (itomap sample --list names them)");
  require(dt_.has_value(), "--dt T");
  require(steps_.has_value(), "--steps N");
  require(!output_.out.empty(), "--out DIR");
  std::vector<std::string> names;
  for (const auto& info : list_systems()) {
    names.push_back(info.name);
  }
  if (std::ranges::find(names, system_) == names.end()) {
    throw InvalidArgument(
        fmt::format("--system {}: unknown; {}", system_, suggestion(system_, names, "itomap sample --list names all")));
  }
  if (*steps_ < thin_) {
    throw InvalidArgument(
        fmt::format("--steps {}: with --thin {} no point would be kept; give more steps", *steps_, thin_));
  }
}

void Sample::check_size(Index dimension) const {
  const Index per_chain = *steps_ / thin_;
  const double points = double(per_chain) * double(chains_);
  const double bytes = points * double(dimension) * 8.0;
  if (bytes > 0.8 * double(build_info().available_memory)) {
    throw InvalidArgument(fmt::format("--steps {}: {:.3g} points take {}, more than is free; keep fewer with --thin",
                                      *steps_, points, fmt::format("{:.1f} GB", 1e-9 * bytes)));
  }
}

EulerOptions Sample::euler_options(const ItoSystem& system, const Progress& progress) const {
  return {.dt = *dt_,
          .steps = Index(*steps_),
          .thin = Index(thin_),
          .burn_in = Index(burn_in_),
          .chains = Index(chains_),
          .start = read_start(start_, system.dimension, chains_),
          .box = parse_box(box_, system),
          .seed = seed_,
          .execution = {.threads = int(threads_), .progress = progress}};
}

void Sample::run() {
  if (list_) {
    return print(list_text());
  }
  check_options();
  output_.check_output();
  simulate();
}

void Sample::simulate() {
  const ItoSystem system =
      make_system(system_, {.beta = beta_, .dimension = dimension_ ? std::optional(Index(*dimension_)) : std::nullopt});
  check_size(system.dimension);
  const DeferSignals deferred;
  std::optional<OutputDirectory> out(std::in_place, output_.out, output_.force);
  Simulation simulation;
  {
    ProgressDisplay display(!output_.quiet);
    const Watchdog watchdog([&] {
      out.reset();
      display.erase();
    });
    const Stopwatch timer(seconds_["simulate"]);
    simulation = euler_maruyama(system, euler_options(system, display.callback()));
  }
  stop_if_signalled();
  write(*out, system, simulation);
  const auto text = json(system, simulation);
  write_text(out->path("sample.json"), text);
  stop_if_signalled();
  out->commit();
  show(text, system, simulation);
}

std::span<const double> span(const Points& values) { return {values.data(), std::size_t(values.size())}; }

void Sample::write(const OutputDirectory& out, const ItoSystem& system, const Simulation& simulation) {
  const Stopwatch timer(seconds_["write"]);
  const Points& points = simulation.points;
  const auto m = std::size_t(points.rows()), n = std::size_t(points.cols());
  write_npy(out.path("points.npy"), span(points), {m, n});
  write_npy(out.path("drift.npy"), span(drift_at(system, points)), {m, n});
  const Diffusion diffusion = diffusion_at(system, points);
  const bool one_number = diffusion.kind() == Diffusion::Kind::Constant;
  write_npy(out.path("diffusion.npy"), span(diffusion.values()),
            one_number ? std::vector<std::size_t>{1} : std::vector<std::size_t>{m, n, n});
  if (!system.log_target) {
    return;
  }
  const Vector log_target = log_target_at(system, points);
  write_npy(out.path("log_target.npy"), {log_target.data(), m}, {m});
}

Json box_json(const std::optional<Box>& box) {
  if (!box) {
    return nullptr;
  }
  return {{"low", std::vector<double>(box->low.begin(), box->low.end())},
          {"high", std::vector<double>(box->high.begin(), box->high.end())}};
}

std::string Sample::json(const ItoSystem& system, const Simulation& simulation) {
  Json json;
  json["version"] = version();
  json["command"] = about_sample.name;
  json["parameters"] = Json::parse(parameters_json(options()));
  json["system"] = system.name;
  json["beta"] = system.beta;
  json["reversible"] = system.reversible;
  json["points"] = simulation.points.rows();
  json["dimension"] = system.dimension;
  json["box"] = box_json(parse_box(box_, system));
  json["steps"] = simulation.steps;
  json["rejected"] = simulation.total_rejected();
  json["rejected_of_chains"] = simulation.rejected;
  json["seconds"] = seconds_;
  return json_text(json);
}

std::string box_text(const std::optional<Box>& box) {
  if (!box) {
    return "none";
  }
  std::string text;
  constexpr Index shown = 3;
  for (Index i = 0; i < std::min(shown, box->low.size()); ++i) {
    text += fmt::format("{}[{:.4g}, {:.4g}]", i == 0 ? "" : " x ", box->low[i], box->high[i]);
  }
  return text + (box->low.size() > shown ? " x ..." : "");
}

void Sample::show(const std::string& json, const ItoSystem& system, const Simulation& simulation) const {
  if (output_.json) {
    print(json);
  }
  const bool table = !output_.json && !output_.quiet;
  const Index rejected = simulation.total_rejected();
  if (table) {
    auto text = Style(stdout).bold(fmt::format("{} at beta = {:g}", system.name, system.beta)) + "\n";
    text += fmt::format("  {:<17}{} in {}\n", "points", simulation.points.rows(),
                        plural(std::size_t(system.dimension), "dimension"));
    text += fmt::format("  {:<17}{} of {:g}, every {} kept, after {} of burn-in\n", "steps", plural(chains_, "chain"),
                        double(*steps_), thin_, burn_in_);
    text += fmt::format("  {:<17}{}\n", "box", box_text(parse_box(box_, system)));
    text += fmt::format("  {:<17}{} of {} steps, not taken because they led out of the box\n", "rejected", rejected,
                        simulation.steps);
    print(text);
  }
  if (double(rejected) > notable_share * double(simulation.steps)) {
    print_warning(
        fmt::format("{:.2g} % of all steps would have left the box, which now shapes the sample; take a "
                    "smaller --dt or a wider --box",
                    100.0 * double(rejected) / double(simulation.steps)));
  }
  if (table) {
    print(written_to(output_.out));
  }
}

}  // namespace

std::unique_ptr<Command> make_sample() { return std::make_unique<Sample>(); }

}  // namespace itomap::cli
