// itomap extend: eigenfunctions at new points.
#include <fmt/format.h>

#include "inputs.hpp"
#include "itomap/analysis/extension.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/io/distance_file.hpp"
#include "itomap/io/output_directory.hpp"
#include "json.hpp"
#include "result_command.hpp"
#include "signals.hpp"
#include "stopwatch.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr CommandText about_extend{
    .name = "extend",
    .summary = "eigenfunctions of a result at new points",
    .description =
        R"(Evaluates the eigenfunctions of a map at points that were not in it: the rest of a long trajectory, a grid for
a picture, tomorrow's data. At the map's own points they come back as they were. A point that sees none of
the map's points within the cut-off gets NaN, and no value exceeds the largest on the map's points: nothing is
extrapolated. places.npy says of each point whether it is inside (0), beyond the data (1) or out of sight (2).

    psi(y) = 1 / (1 + epsilon lambda)  sum_j k(y, x_j) d_j psi(x_j) / sum_j k(y, x_j) d_j
)",
    .usage = "--result DIR --points FILE [--drift FILE --diffusion FILE|A] --out DIR",
    .examples = R"(itomap extend --result result --points new.npy --out extended
itomap extend --result lkd_result --points y.npy --drift b.npy --diffusion 0.5 --out extended
)"};

/// 0 inside, 1 beyond the data, 2 outside.
std::vector<std::int64_t> places_of(const Extension& extension) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(extension.eigenfunctions.rows()), 0);
  for (const Index k : extension.beyond) {
    places[static_cast<std::size_t>(k)] = 1;
  }
  for (const Index k : extension.outside) {
    places[static_cast<std::size_t>(k)] = 2;
  }
  return places;
}

class Extend final : public ResultCommand {
 public:
  const CommandText& text() const override { return about_extend; }
  std::vector<Option> options() override;

 private:
  void check_options() const override;
  void compute(const Progress& progress) override;
  bool joins_result() const override { return false; }
  NewPoints read_new_points(const Map& map) const;
  std::string json() const;
  void write(const PathOf& path) const override;
  void show() const override;

  std::string points_file_;
  std::string distances_file_;
  std::string drift_file_;
  std::string diffusion_text_;

  Extension extension_;
};

std::vector<Option> Extend::options() {
  auto all = leading_options(settings_);
  all.push_back({"points",
                 "FILE",
                 Group::Input,
                 "the new points, one row each",
                 cli::text(points_file_),
                 true,
                 false,
                 {"distances"}});
  all.push_back({"distances", "FILE", Group::Input,
                 "of the new points, one row each, to those of the result, one column each; for results of distances",
                 cli::text(distances_file_)});
  all.push_back({"drift", "FILE", Group::Input, "b at the new points; for lkd results", cli::text(drift_file_)});
  all.push_back({"diffusion", "FILE|A", Group::Input, "A at the new points, as lkd takes it; for lkd results",
                 cli::text(diffusion_text_)});
  for (auto&& more :
       trailing_options(settings_, "write eigenfunctions.npy, places.npy and result.json into this directory")) {
    all.push_back(more);
  }
  return all;
}

void Extend::check_options() const {
  settings_.check();
  if (settings_.out.empty() && !settings_.json) {
    throw InvalidArgument("extend writes its result into --out DIR, which is not given; or give --json for the errors");
  }
}

NewPoints Extend::read_new_points(const Map& map) const {
  const bool distances = !map.definition().distances.empty();
  if (distances != !distances_file_.empty()) {
    throw InvalidArgument(fmt::format("{} is the result of {}: extend needs --{} FILE", settings_.result,
                                      distances ? "distances" : "points", distances ? "distances" : "points"));
  }
  if (distances) {
    return {.distances = read_distances(distances_file_)};
  }
  const Array cloud = read_vectors_like(points_file_, map.dimension(), "points");
  NewPoints where;
  where.points = cloud.as_points();
  const bool local = map.definition().local();
  const bool given = !drift_file_.empty() || !diffusion_text_.empty();
  if (!local && given) {
    throw InvalidArgument(fmt::format("{} is the result of {}: --drift and --diffusion are for lkd", settings_.result,
                                      map.method() == Method::DiffusionMap ? "dmap" : "tmd"));
  }
  if (local && diffusion_text_.empty()) {
    throw InvalidArgument(
        fmt::format("{} is the result of lkd: extend needs --diffusion, and --drift unless it is 0, at the new points",
                    settings_.result));
  }
  if (local && drift_file_.empty() && map.definition().drift.cwiseAbs().maxCoeff() > 0.0) {
    throw InvalidArgument(
        fmt::format("{} was made with a drift: extend needs --drift at the new points", settings_.result));
  }
  if (local) {
    where.drift = drift_file_.empty() ? Points::Zero(where.points.rows(), where.points.cols())
                                      : Points(read_vectors("drift", drift_file_, cloud).as_points());
    where.diffusion = read_diffusion(diffusion_text_, cloud);
  }
  return where;
}

void Extend::compute(const Progress& progress) {
  const auto [map, spectrum] = load(progress);
  const NewPoints where = read_new_points(map);
  stop_if_signalled();
  const Stopwatch timer(seconds_);
  extension_ = extend(map, spectrum, where);
}

std::string Extend::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about_extend.name;
  j["parameters"] = Json::parse(parameters_);
  j["points"] = extension_.eigenfunctions.rows();
  j["outside"] = extension_.outside.size();
  j["beyond"] = extension_.beyond.size();
  j["interpolation_error"] =
      std::vector<double>(extension_.interpolation_error.begin(), extension_.interpolation_error.end());
  j["warnings"] = extension_.warnings;
  j["seconds"] = {{"load", load_seconds_}, {"extend", seconds_}};
  return json_text(j);
}

void Extend::write(const PathOf& path) const {
  const auto rows = static_cast<std::size_t>(extension_.eigenfunctions.rows());
  const auto columns = static_cast<std::size_t>(extension_.eigenfunctions.cols());
  const std::span<const double> re(extension_.eigenfunctions.re.data(), rows * columns);
  if (extension_.eigenfunctions.is_real()) {
    write_npy(path("eigenfunctions.npy"), re, {rows, columns});
  } else {
    write_npy_complex(path("eigenfunctions.npy"), re, {extension_.eigenfunctions.im.data(), rows * columns},
                      {rows, columns});
  }
  const auto places = places_of(extension_);
  write_npy_integers(path("places.npy"), places, {rows});
  write_text(path("result.json"), json());
}

void Extend::show() const {
  if (settings_.json) {
    print(json());
  }
  for (const auto& warning : extension_.warnings) {
    print_warning(warning);
  }
  if (settings_.json || settings_.quiet) {
    return;
  }
  print(fmt::format(
      "{} new points, {} outside the map, {} beyond the data\n\n{}\n{:.2f} s (load {:.2f} s)\nWritten to {}: "
      "eigenfunctions.npy, places.npy, result.json\n",
      extension_.eigenfunctions.rows(), extension_.outside.size(), extension_.beyond.size(),
      emphasised(extension_.report()), seconds_ + load_seconds_, load_seconds_, settings_.out));
}

}  // namespace

std::unique_ptr<Command> make_extend() { return std::make_unique<Extend>(); }

}  // namespace itomap::cli
