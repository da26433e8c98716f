// itomap cluster: metastable sets of a result.
#include "itomap/analysis/cluster.hpp"
#include "json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <optional>

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

constexpr const char* cluster_json = "cluster.json";

constexpr CommandText about_cluster{
    .name = "cluster",
    .summary = "metastable sets of a result, and how fast the process leaves each",
    .description =
        R"(Divides the points of a map into K sets between which the process moves rarely: points of one set have
nearly the same values of the slow eigenfunctions. pcca (PCCA+) gives every point a membership in each set,
between 0 and 1; kmeans gives hard sets. For each set, from one product with the generator:

    stationary weight  <chi, 1>,   escape rate  -<chi, L chi> / <chi, chi>
    mean exit time     1 / escape rate,   with <f, g> = sum_i phi_0(i) f(i) g(i)

Writes sets.npy (one number per point, 0 is the heaviest set, -1 a point
that was dropped), memberships.npy (m x K) and cluster.json.
)",
    .usage = "--result DIR --sets K [options]",
    .examples = R"(itomap cluster --result result --sets 3
itomap cluster --result result --sets 5 --method kmeans --functions 1,4,6,10 --out sets
)"};

class Cluster final : public ResultCommand {
 public:
  const CommandText& text() const override { return about_cluster; }
  std::vector<Option> options() override;

 private:
  void check_options() const override;
  ClusterOptions cluster_options() const;
  void compute(const Progress& progress) override;
  std::string json() const;
  void write(const PathOf& path) const override;
  void show() const override;

  std::uint64_t sets_ = 2;
  std::string method_;
  std::vector<Index> functions_;
  std::string weights_ = "stationary";
  std::uint64_t restarts_ = static_cast<std::uint64_t>(ClusterOptions{}.restarts);
  std::uint64_t seed_ = ClusterOptions{}.seed;

  Clustering found_;
  std::vector<Index> kept_;
  Index input_points_ = 0;
};

std::vector<Option> Cluster::options() {
  constexpr std::uint64_t many = 1000000;
  auto all = leading_options(settings_);
  const std::vector<Option> own{
      {"sets", "K", Group::Method, "how many, from 2 to one more than there are functions", count(sets_, 2, many),
       true},
      {"method", "NAME", Group::Method, "pcca or kmeans; pcca for reversible results unless given, kmeans for others",
       cli::text(method_)},
      {"functions", "N1,N2,..", Group::Method,
       "which eigenfunctions, by their numbers in the table of the map; the first K - 1 that are not flagged as "
       "spurious unless given",
       indices(functions_)},
      {"weights", "NAME", Group::Method,
       "kmeans: stationary counts points by their stationary weight, equal counts each once", cli::text(weights_)},
      {"restarts", "R", Group::Computation, "kmeans: starts, the best of which counts", count(restarts_, 1, many)},
      {"seed", "S", Group::Computation, "kmeans: of the starts",
       count(seed_, 0, std::numeric_limits<std::uint64_t>::max())},
  };
  all.insert(all.end(), own.begin(), own.end());
  for (auto&& more : trailing_options(settings_,
                                      "write sets.npy, memberships.npy and cluster.json into this directory; into the "
                                      "result directory unless given")) {
    all.push_back(more);
  }
  return all;
}

void Cluster::check_options() const {
  if (!method_.empty() && method_ != "pcca" && method_ != "kmeans") {
    throw InvalidArgument(fmt::format("--method {}: it must be pcca or kmeans", method_));
  }
  if (weights_ != "stationary" && weights_ != "equal") {
    throw InvalidArgument(fmt::format("--weights {}: it must be stationary or equal", weights_));
  }
  settings_.check_joining(std::vector<std::string>{"sets.npy", "memberships.npy", cluster_json});
}

ClusterOptions Cluster::cluster_options() const {
  ClusterOptions options{.sets = static_cast<Index>(sets_),
                         .functions = functions_,
                         .weighted = weights_ == "stationary",
                         .restarts = static_cast<Index>(restarts_),
                         .seed = seed_};
  if (!method_.empty()) {
    options.method = method_ == "pcca" ? ClusterMethod::Pcca : ClusterMethod::Kmeans;
  }
  return options;
}

void Cluster::compute(const Progress& progress) {
  const auto [map, spectrum] = load(progress);
  stop_if_signalled();
  const Stopwatch timer(seconds_);
  found_ = cluster(map, spectrum, cluster_options());
  kept_ = map.kept();
  input_points_ = map.input_points();
}

std::string Cluster::json() const {
  Json j;
  j["version"] = version();
  j["command"] = about_cluster.name;
  j["parameters"] = Json::parse(parameters_);
  j["method"] = to_string(found_.method);
  j["functions"] = found_.functions;
  j["points"] = found_.points;
  j["stationary"] = numbers(found_.rates.weights);
  j["escape_rates"] = numbers(found_.rates.escape_rates);
  j["exit_times"] = numbers(found_.rates.exit_times);
  j["rate_matrix"] = Json::array();
  for (Index k = 0; k < found_.rates.rate_matrix.rows(); ++k) {
    j["rate_matrix"].push_back(numbers(Vector(found_.rates.rate_matrix.row(k))));
  }
  j["timescales"] = numbers(found_.rates.timescales);
  if (found_.method == ClusterMethod::Pcca) {
    j["crispness"] = found_.crispness;
  } else {
    j["inertia"] = found_.inertia;
  }
  j["warnings"] = found_.warnings;
  j["seconds"] = {{"load", load_seconds_}, {"cluster", seconds_}};
  return json_text(j);
}

// One row per point of the user's data; those that were dropped belong to no set.
void Cluster::write(const PathOf& path) const {
  const auto m = static_cast<std::size_t>(input_points_);
  const auto sets = static_cast<std::size_t>(found_.memberships.cols());
  std::vector<std::int64_t> labels(m, -1);
  Block memberships = Block::Constant(input_points_, found_.memberships.cols(), NAN);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    labels[static_cast<std::size_t>(kept_[i])] = found_.labels[i];
    memberships.row(kept_[i]) = found_.memberships.row(static_cast<Index>(i));
  }
  write_npy_integers(path("sets.npy"), labels, {m});
  write_npy(path("memberships.npy"), {memberships.data(), m * sets}, {m, sets});
  write_text(path(cluster_json), json());
}

void Cluster::show() const {
  if (settings_.json) {
    print(json());
  }
  const bool readable = !settings_.json && !settings_.quiet;
  if (readable) {
    const bool soft = found_.method == ClusterMethod::Pcca;
    print(fmt::format("{} sets by {} from function{} {}{}\n\n{}", found_.points.size(), soft ? "PCCA+" : "k-means",
                      found_.functions.size() == 1 ? "" : "s", fmt::join(found_.functions, ", "),
                      soft ? fmt::format(", crispness {:.3f}", found_.crispness) : "", emphasised(found_.report())));
    print(fmt::format("{:.2f} s (load {:.2f} s)\n", load_seconds_ + seconds_, load_seconds_));
  }
  for (const auto& warning : found_.warnings) {
    print_warning(warning);
  }
  if (readable) {
    print(fmt::format("Written to {}: sets.npy, memberships.npy, cluster.json\n",
                      settings_.out.empty() ? settings_.result : settings_.out));
  }
}

}  // namespace

std::unique_ptr<Command> make_cluster() { return std::make_unique<Cluster>(); }

}  // namespace itomap::cli
