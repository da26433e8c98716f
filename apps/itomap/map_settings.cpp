#include "map_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "inputs.hpp"
#include "itomap/core/error.hpp"
#include "itomap/report/report.hpp"

namespace itomap::cli {
namespace {

constexpr std::uint64_t most_eigs = 100000;
constexpr std::uint64_t most_neighbours = 1000000000;
constexpr std::uint64_t most_landmarks = 100000;

constexpr std::string_view map_bars_help =
    "standard errors of eigenvalues and eigenfunctions from leaving out each of B blocks of consecutive rows in turn, "
    "and "
    "their values extrapolated to epsilon = 0 (from epsilon, 2 epsilon and 4 epsilon) and to many points; fewer and "
    "longer blocks where rows remember each other for long; 10 is a good number, 0 for none";

std::vector<Option> bandwidth_options(MapSettings& s) {
  constexpr auto group = Group::Method;
  return {
      {"bandwidth", "S", group,
       "wider kernels where points are rare, so that tails and outliers do not ruin a small epsilon: the width goes "
       "with the distance to the nearest points to the power S; 0 for the same width everywhere, 0.5 is a good start, "
       "1 "
       "for the same number of neighbours everywhere",
       real(s.bandwidth, Real::NonNegative)},
      {"bandwidth-neighbours", "K", group, "how many nearest points that distance is from; 0 for the square root of m",
       count(s.bandwidth_neighbours, 0, most_neighbours)},
      {"manifold-dimension", "D", group,
       "of the manifold that the points lie on, which --bandwidth needs; 0 takes what the kernel sum says",
       count(s.manifold_dimension, 0, most_neighbours)},
  };
}

std::vector<Option> computation_options(MapSettings& s) {
  constexpr auto group = Group::Computation;
  return {
      {"eigs", "K", group, "eigenpairs beyond lambda_0 = 0, slowest first; a few flagged as spurious may come on top",
       count(s.eigs, 1, most_eigs)},
      {"engine", "NAME", group,
       "how the kernel matrix is held: sparse (stored), dense (recomputed in every product), grid (fast Gauss "
       "transform, "
       "at most three coordinates and one A for all points), landmarks (interpolated between some places: approximate, "
       "for "
       "millions of points in many dimensions), auto (the cheapest that fits into --memory)",
       engine(s.kernel.engine)},
      {"landmarks", "N|auto", group,
       "places that the engine landmarks interpolates between; auto doubles them, up to 2048, until the error that it "
       "measures is below --landmark-error",
       count_or_auto(s.kernel.landmarks, most_landmarks)},
      {"landmark-error", "TOL", group,
       "relative error of the mean squared step of a row, on a sample of rows, that is good enough; rates are off by "
       "about half as much",
       real(s.kernel.landmark_error, Real::Fraction)},
      {"cutoff", "TOL", group, "kernel entries below it are left out, 0 < TOL < 1",
       real(s.kernel.cutoff, Real::Fraction)},
      {"single", "", group,
       "store kernel entries in four bytes instead of eight: half the memory, relative error 6e-8; sparse engine only",
       flag(s.kernel.single_precision)},
      {"threads", "T", group, "worker threads, 0 for all cores; the result has the same bits for any number",
       count(s.threads, 0, most_threads)},
      {"memory", "SIZE", group,
       "the most that kernel and eigenvectors may take: 500M, 4G, 1.5GiB or plain bytes; 80 % of what is free unless "
       "given",
       bytes(s.memory)},
      {"seed", "S", group, "of the start vectors of the eigensolver",
       count(s.seed, 0, std::numeric_limits<std::uint64_t>::max())},
  };
}

}  // namespace

void MapSettings::check(const Array& cloud) const {
  const auto view = cloud.as_points();
  const auto needed = static_cast<std::size_t>(view.cols());
  if (!kernel.period.empty() && kernel.period.size() != needed) {
    throw InvalidArgument(fmt::format("--period has {} number{}, but {}: give {}, 0 where not periodic",
                                      kernel.period.size(), kernel.period.size() == 1 ? "" : "s", size_text(cloud),
                                      needed));
  }
  if (eigs + 1 > static_cast<std::uint64_t>(view.rows())) {
    throw InvalidArgument(fmt::format("--eigs {} needs at least {} points, but {}", eigs, eigs + 1, size_text(cloud)));
  }
  if (error_bars.blocks > 0 && (error_bars.blocks == 1 || view.rows() < ErrorBarOptions::fewest_points)) {
    throw InvalidArgument(fmt::format("--error-bars {}: at least 2 blocks of at least 10 points are needed, but {}",
                                      error_bars.blocks, size_text(cloud)));
  }
  if (error_bars.blocks > 0) {
    error_bars.options().validate(view.rows(), view.rows());
  }
  kernel.validate(needed);
  variable_bandwidth().validate(view.rows(), distances.empty() ? view.cols() : view.rows() - 1);
}

void MapSettings::check_report() const {
  if (report && out.empty()) {
    throw InvalidArgument("--report writes into the directory of --out DIR, which is not given");
  }
  if (report) {
    check_has_report();
  }
}

std::vector<std::string> MapSettings::arrays() const {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < write.size();) {
    const std::size_t end = std::min(write.find(',', begin), write.size());
    names.push_back(write.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

VariableBandwidth MapSettings::variable_bandwidth() const {
  return {.strength = bandwidth,
          .neighbours = static_cast<Index>(bandwidth_neighbours),
          .dimension = static_cast<Index>(manifold_dimension)};
}

Execution MapSettings::execution(Progress progress) const {
  return {.threads = static_cast<int>(threads), .memory = memory, .progress = std::move(progress)};
}

EigenpairsOptions MapSettings::eigenpairs_options() const { return {.count = static_cast<Index>(eigs), .seed = seed}; }

std::vector<Option> leading_options(MapSettings& s, std::string_view epsilon_help, bool takes_distances) {
  std::vector<Option> options{{"points", "FILE", Group::Input,
                               "m x N, one row per point: .npy, .npz (x.npz:key), .csv/.tsv/.txt or HDF5 (x.h5:/path)",
                               text(s.points), true}};
  if (takes_distances) {
    options.back().or_else = {"distances"};
    options.push_back(distances_option(s.distances));
  }
  options.push_back({"epsilon", "X|auto|steepest", Group::Method, epsilon_help, scale(s.epsilon)});
  return options;
}

std::vector<Option> trailing_options(MapSettings& s) {
  std::vector<Option> options{
      {"period", "P1,P2,..", Group::Input,
       "length of one period of each coordinate, 0 where it is not periodic: 360,0 for an angle and a distance",
       lengths(s.kernel.period)},
      {"drop-isolated", "", Group::Method,
       "leave out points, and groups of at most N, that no other point can see; their rows become NaN",
       flag(s.drop_isolated)},
      {"normalization", "paper|bistochastic", Group::Method,
       "how the kernel becomes a Markov matrix: as in the paper, or so that the process is reflected where the data "
       "ends "
       "at walls and the invariant density does not vanish: errors there are of order epsilon instead of epsilon^1/2",
       normalization(s.normalization)},
  };
  for (auto&& more : {bandwidth_options(s), computation_options(s), error_bar_options(s.error_bars, map_bars_help),
                      output_options(s, /*required=*/false)}) {
    options.insert(options.end(), more.begin(), more.end());
  }
  options.push_back({"write", "LIST", Group::Output,
                     "which arrays go into the directory: some of eigenfunctions, left_eigenfunctions, stationary, "
                     "density, embedding, inputs (copies of the points and what belongs to them), with commas between; "
                     "all unless given. Left functions of dmap and tmd are stationary times eigenfunctions",
                     text(s.write)});
  options.push_back({"float32", "", Group::Output,
                     "write these arrays, but for inputs, in four bytes a number: half the size, relative error 6e-8",
                     flag(s.float32)});
  options.push_back(
      {"checkpoint", "DIR", Group::Output,
       "keep what passes over the points have summed in this directory while the run lasts: the same "
       "command goes on from there after a kill, to the same bits. For the engines grid and landmarks and a "
       "number for --epsilon, see docs: files larger than memory",
       text(s.checkpoint)});
  options.push_back({"report", "", Group::Output,
                     "write report.html into the directory as well: one page to look at and to send, see itomap report",
                     flag(s.report)});
  return options;
}

}  // namespace itomap::cli
