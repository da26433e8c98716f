// n-butane in water: three conformations found from the positions of its four carbons, without being told the angle.
//
// One length says what is resolved: 0.01 nm, the paper's radius, about the thermal amplitude of bonds and bond angles
// and a tenth of what the dihedral angle moves. Both kernels get it as their least width, (2 density_epsilon)^1/2 and
// (2 epsilon eta)^1/2; epsilon itself is the lag, so that one step of the kernel is the motion that was observed over
// the lag. docs/how-to/butane.md says what happens with other choices.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "itomap/analysis/cluster.hpp"
#include "itomap/core/error.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "reproduce/carbon_chain.hpp"
#include "reproduce/dihedral.hpp"
#include "reproduce/example.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/markov_model.hpp"

namespace itomap::reproduce {
namespace {

constexpr double dt = 0.05;          // ps between frames
constexpr double lag = 0.05;         // ps
constexpr double resolution = 0.01;  // nm
constexpr double density_epsilon = resolution * resolution / 2;
constexpr double eta = density_epsilon / lag;
constexpr Index point_count = 10000;
constexpr Index neighbours = 100;
constexpr Index sets = 3;
constexpr std::size_t shown_modes = 4;
constexpr Index harmonics = 8;  // of a smooth function of the angle: features down to 360 / 16 degrees
constexpr Index angle_states = 36;
constexpr double model_lag = 5;  // ps, from where the implied time scales are level
constexpr Index shown_chains = 60;

struct Analysis {
  std::vector<Points> runs;  // aligned
  DynamicsEstimate estimate;
  std::optional<Map> map;
  Spectrum spectrum;
  std::array<Index, shown_modes> modes{};  // of the spectrum, slowest first
  Clustering clustering;
  Vector angles;                         // of the points
  std::array<AngleFit, 2> fits;          // of psi_1 and psi_2
  std::vector<States> states;            // of all frames, for the Markov state model
  std::array<double, sets> set_angle{};  // middle of the dihedral bin that most points of the set are in: 60, 180, 300
};

std::vector<Points> read_runs(const std::filesystem::path& folder) {
  std::vector<Points> runs;
  for (const int number : {1, 2}) {
    const auto array = read_array(fmt::format("{}:replica{}", (folder / "butane.npz").string(), number));
    if (array.as_points().cols() != 12) {
      throw InvalidArgument(fmt::format("{}: {}; it must be frames x 4 x 3", array.source, array.shape_text()));
    }
    runs.emplace_back(array.as_points());
  }
  return runs;
}

double bin_middle(double angle) { return 60 + 120 * std::floor(angle / 120); }

DynamicsEstimate estimate(const std::vector<Points>& runs, const Context& context) {
  const std::vector<Trajectory> trajectories(runs.begin(), runs.end());
  return estimate_dynamics(trajectories, spread_frames(runs, point_count, density_epsilon, 1),
                           {.dt = dt, .lag = lag, .neighbours = neighbours, .execution = context.execution()});
}

// The slowest modes that do not live on a handful of points.
std::array<Index, shown_modes> true_modes(const Spectrum& spectrum) {
  std::array<Index, shown_modes> modes{};
  std::size_t found = 0;
  for (Index n = 1; n < spectrum.eigenvalues.size() && found < modes.size(); ++n) {
    if (!spectrum.is_spurious(n)) {
      modes[found++] = n;
    }
  }
  if (found < modes.size()) {
    throw NumericalError("butane: nearly all slow modes are spurious; use more data");
  }
  return modes;
}

void find_sets(Analysis& a, const Context& context) {
  a.map = local_kernel_map(
      a.estimate.points, a.estimate.drift, Diffusion::matrices(a.estimate.diffusion),
      {.epsilon = lag, .density_epsilon = density_epsilon, .eta = eta, .execution = context.execution()});
  a.spectrum = eigenpairs(*a.map, {.count = 8});
  a.modes = true_modes(a.spectrum);
  a.clustering = cluster(*a.map, a.spectrum, {.sets = sets});
}

// The bin that most points of each set are in; two sets may claim the same one, and then agreement is poor.
void name_sets(Analysis& a) {
  for (Index set = 0; set < sets; ++set) {
    std::array<Index, 3> counts{};
    for (Index i = 0; i < a.angles.size(); ++i) {
      if (a.clustering.labels[std::size_t(i)] == set) {
        ++counts[std::size_t(a.angles[i] / 120)];
      }
    }
    const auto most = std::ranges::max_element(counts) - counts.begin();
    a.set_angle[std::size_t(set)] = 60.0 + 120.0 * double(most);
  }
}

double agreement(const Analysis& a) {
  if (std::set<double>(a.set_angle.begin(), a.set_angle.end()).size() < sets) {
    return 0;
  }
  Index same = 0;
  for (Index i = 0; i < a.angles.size(); ++i) {
    same += bin_middle(a.angles[i]) == a.set_angle[std::size_t(a.clustering.labels[std::size_t(i)])];
  }
  return double(same) / double(a.angles.size());
}

Analysis analyse(const Context& context) {
  Analysis a;
  context.step(0.0, "reading");
  a.runs = aligned(read_runs(context.data));
  for (const auto& run : a.runs) {
    a.states.push_back(angle_bins(dihedral_angles(run), angle_states));
  }
  a.estimate = estimate(a.runs, context);
  a.angles = dihedral_angles(a.estimate.points);
  find_sets(a, context);
  name_sets(a);
  for (std::size_t n : {0, 1}) {
    a.fits[n] = fit_by_angle(a.angles, a.spectrum.eigenfunctions.col(a.modes[n]), harmonics);
  }
  return a;
}

Vector model_timescales(const Analysis& a, double model_lag_ps, Index count) {
  return dt * implied_timescales(a.states, angle_states, Index(std::lround(model_lag_ps / dt)), count);
}

void write_eigenfunctions(const Analysis& a, const std::filesystem::path& out) {
  Points rows(a.angles.size(), 5);
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) << a.angles[i], a.spectrum.eigenfunctions.re(i, a.modes[0]),
        a.spectrum.eigenfunctions.re(i, a.modes[1]), a.set_angle[std::size_t(a.clustering.labels[std::size_t(i)])],
        a.spectrum.stationary[i];
  }
  write_table(out / "eigenfunctions.dat", {"dihedral", "psi_1", "psi_2", "set", "stationary"}, rows);

  // drawn where the angles are: a Fourier sum is free to swing where there are next to none
  const std::vector<double> angles(a.angles.begin(), a.angles.end());
  Points curve(181, 3);
  const double first = quantile(angles, 0.002), step = (quantile(angles, 0.998) - first) / 180;
  for (Index i = 0; i < curve.rows(); ++i) {
    const double angle = first + step * double(i);
    curve.row(i) << angle, a.fits[0].at(angle), a.fits[1].at(angle);
  }
  write_table(out / "smooth.dat", {"dihedral", "psi_1", "psi_2"}, curve);
}

// Share of all frames in each 5 degrees of the dihedral angle, and what the map's stationary weights make of it.
void write_populations(const Analysis& a, const std::filesystem::path& out) {
  Points rows = Points::Zero(72, 3);
  double frames = 0;
  for (const auto& run : a.runs) {
    for (const double angle : dihedral_angles(run)) {
      rows(Index(angle / 5) % 72, 1) += 1;
    }
    frames += double(run.rows());
  }
  rows.col(1) /= frames;
  for (Index i = 0; i < a.angles.size(); ++i) {
    rows(Index(a.angles[i] / 5) % 72, 2) += a.spectrum.stationary[i];
  }
  for (Index bin = 0; bin < rows.rows(); ++bin) {
    rows(bin, 0) = 5.0 * double(bin) + 2.5;
  }
  write_table(out / "populations.dat", {"dihedral", "trajectory", "stationary"}, rows);
}

void write_conformations(const Analysis& a, const std::filesystem::path& out) {
  const Points chains = standing(a.estimate.points);
  for (Index set = 0; set < sets; ++set) {
    std::vector<Index> members;
    for (Index i = 0; i < chains.rows(); ++i) {
      if (a.clustering.labels[std::size_t(i)] == set) {
        members.push_back(i);
      }
    }
    const auto every = std::max<std::size_t>(1, members.size() / std::size_t(shown_chains));
    std::vector<Index> shown;
    for (std::size_t i = 0; i < members.size(); i += every) {
      shown.push_back(members[i]);
    }
    write_table(out / fmt::format("set_{:.0f}.dat", a.set_angle[std::size_t(set)]),
                {"x1", "y1", "z1", "x2", "y2", "z2", "x3", "y3", "z3", "x4", "y4", "z4"}, chains(shown, Eigen::all));
  }
}

void write_timescales(const Analysis& a, const std::filesystem::path& out) {
  constexpr std::array lags{0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0};
  Points model(Index(lags.size()), 4);
  for (Index i = 0; i < model.rows(); ++i) {
    const double at = lags[std::size_t(i)];
    model.row(i) << at, model_timescales(a, at, 3).transpose();
  }
  write_table(out / "model.dat", {"lag_ps", "t_1", "t_2", "t_3"}, model);
  Points map(Index(shown_modes), 3);
  const Vector reference = model_timescales(a, model_lag, Index(shown_modes));
  for (Index n = 0; n < map.rows(); ++n) {
    map.row(n) << double(n + 1), a.spectrum.timescales[a.modes[std::size_t(n)]], reference[n];
  }
  write_table(out / "timescales.dat", {"n", "lkdmap_ps", "model_ps"}, map);
}

// The chain that is nearest to the mean of its set.
Index representative(const Analysis& a, const Points& chains, Index set) {
  Vector mean = Vector::Zero(chains.cols());
  std::vector<Index> members;
  for (Index i = 0; i < chains.rows(); ++i) {
    if (a.clustering.labels[std::size_t(i)] == set) {
      members.push_back(i);
      mean += chains.row(i).transpose();
    }
  }
  mean /= std::max<double>(1.0, double(members.size()));
  const auto distance = [&](Index i) { return (chains.row(i).transpose() - mean).squaredNorm(); };
  return *std::ranges::min_element(members, {}, distance);
}

void write_report_page(const Analysis& a, const Context& context) {
  const Points chains = standing(a.estimate.points);
  ReportOptions options{.title = "LKDmap of n-butane in water, from its four carbons",
                        .time_unit = "ps",
                        .values = {{"dihedral angle [degrees]", a.angles}}};
  const Vector reference = model_timescales(a, model_lag, 2);
  options.reference_timescales.assign(reference.begin(), reference.end());
  for (Index set = 0; set < sets; ++set) {
    const Index chain = representative(a, chains, set);
    options.structures.push_back(
        {fmt::format("set {}: dihedral angle {:.0f}\u00b0", set, a.angles[chain]), chain_pdb(chains.row(chain))});
  }
  context.report("lkdmap", *a.map, a.spectrum, options, {.sets = &a.clustering});
}

Verdict at_least(std::string quantity, double value, double bound) {
  return {.example = "butane",
          .quantity = std::move(quantity),
          .itomap = value,
          .required = fmt::format("at least {}", bound),
          .pass = value >= bound};
}

Verdict timescale(Index n, double value, double reference, double paper) {
  return {.example = "butane",
          .quantity = fmt::format("t_{}, LKDmap (ps)", n),
          .paper = paper,
          .itomap = value,
          .reference = reference,
          .required = "within a factor of 2 of the Markov state model",
          .pass = value >= reference / 2 && value <= 2 * reference};
}

Verdict shown(std::string quantity, std::optional<double> paper, double value, std::optional<double> reference = {}) {
  return {
      .example = "butane", .quantity = std::move(quantity), .paper = paper, .itomap = value, .reference = reference};
}

double share_anti(const Analysis& a) {
  Index anti = 0, all = 0;
  for (const auto& run : a.states) {
    all += Index(run.size());
    anti += std::ranges::count_if(run, [](Index s) { return 3 * s / angle_states == 1; });
  }
  return double(anti) / double(all);
}

std::vector<Verdict> verdicts(const Analysis& a) {
  const Vector t = a.spectrum.timescales(a.modes);
  const Vector model = model_timescales(a, model_lag, 2);
  double frames = 0, weight = 0;
  for (const auto& run : a.runs) {
    frames += double(run.rows());
  }
  for (Index i = 0; i < a.angles.size(); ++i) {
    if (bin_middle(a.angles[i]) == 180) {
      weight += a.spectrum.stationary[i];
    }
  }
  return {at_least("variance of psi_1 explained by the dihedral", a.fits[0].explained, 0.9),
          at_least("variance of psi_2 explained by the dihedral", a.fits[1].explained, 0.9),
          at_least("points in the set of their dihedral bin", agreement(a), 0.95),
          at_least("gap lambda_3 / lambda_2", t[1] / t[2], 2),
          timescale(1, t[0], model[0], 74),
          timescale(2, t[1], model[1], 36),
          shown("t_1, Markov state model (ps)", 47, model[0]),
          shown("t_2, Markov state model (ps)", 37, model[1]),
          shown("weight of anti; reference: the trajectory", {}, weight, share_anti(a)),
          shown("trajectory (ns)", 100, frames * dt / 1000)};
}

std::vector<Verdict> run(const Context& context) {
  const auto a = analyse(context);
  write_eigenfunctions(a, context.out);
  write_populations(a, context.out);
  write_conformations(a, context.out);
  write_timescales(a, context.out);
  write_report_page(a, context);
  return verdicts(a);
}

}  // namespace

Example butane() {
  return {
      "butane", "three conformations of a molecule in water",
      "A chain of four carbons in water turns about its middle bond. From the positions of the carbons alone, drift "
      "and diffusion are estimated from the trajectory, and LKDmap finds the three conformations and how long each "
      "lasts, without being told of the angle. The reference time scales are those of a Markov state model.",
      run};
}

}  // namespace itomap::reproduce
