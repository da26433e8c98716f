// n-butane in water: three conformations found from the positions of its four carbons, without being told the angle.
//
// One length says what is resolved (molecule_map.hpp). Time scales depend on it, and nothing in the data tells it: it
// is chosen on the first run, by t_1 of a Markov state model of that run, and everything is judged on the second. What
// comes out without a length, by the rules of the program alone, is judged beside. docs/how-to/butane.md has the rest.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "itomap/analysis/cluster.hpp"
#include "itomap/core/error.hpp"
#include "itomap/dynamics/kramers_moyal.hpp"
#include "itomap/io/array_file.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "reproduce/bootstrap.hpp"
#include "reproduce/carbon_chain.hpp"
#include "reproduce/dihedral.hpp"
#include "reproduce/evolution.hpp"
#include "reproduce/example.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/markov_model.hpp"
#include "reproduce/molecule_map.hpp"

namespace itomap::reproduce {
namespace {

constexpr double dt = 0.05;                                     // ps between frames
constexpr double lag = 0.05;                                    // ps, the paper's
constexpr double paper_radius = 0.01;                           // nm; points are spread out at this length
constexpr std::array lengths{0.005, 0.007, 0.01, 0.014, 0.02};  // nm
constexpr Index point_count = 10000;                            // the paper's
constexpr Index study_points = 4000;                            // for lengths and explanations
constexpr Index bootstrap_points = 2500;
constexpr std::uint64_t map_replicates = 10, model_replicates = 100;
constexpr double block_length = 100;  // ps: several t_1
constexpr Index neighbours = 100;
constexpr Index sets = 3;
constexpr std::size_t shown_modes = 4;
constexpr Index harmonics = 8;  // of a smooth function of the angle: features down to 360 / 16 degrees
constexpr Index angle_states = 36;
constexpr double model_lag = 5;  // ps, from where the implied time scales are level
constexpr Index shown_chains = 60;

constexpr std::size_t choosing = 0, judged = 1;  // which run

// A figure and its standard error.
struct Estimate {
  double value = NAN, error = NAN;
};

struct Analysis {
  std::vector<Points> runs;                             // aligned; frames of both
  std::vector<std::array<Conformations, 2>> by_length;  // of both runs
  double length = NAN;
  DynamicsEstimate estimate;  // of the run that is judged, as all that follows
  std::optional<Map> map;
  Spectrum spectrum;
  std::array<Index, shown_modes> modes{};  // of the spectrum, slowest first
  Clustering clustering;
  Vector angles;                                  // of the points
  std::array<AngleFit, 2> fits;                   // of psi_1 and psi_2
  std::vector<States> states;                     // of all frames of each run, for the Markov state model
  std::array<Estimate, 2> times, model, squares;  // t_1 and t_2 of LKDmap, the model, and least squares
  Estimate anti, share_anti;                      // weight of anti in the map, and its share of the trajectory
  Conformations by_rule;                          // without a length
  double heated_anti = NAN;                       // what heating makes of the trajectory's shares
  Conformations not_heated;                       // with the drift that keeps the molecule's own equilibrium
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

DynamicsEstimate estimate_at(const std::vector<Trajectory>& frames, const Points& points, const Context& context) {
  return estimate_dynamics(frames, points,
                           {.dt = dt, .lag = lag, .neighbours = neighbours, .execution = context.execution()});
}

DynamicsEstimate estimate(const Points& run, Index points, const Context& context) {
  return estimate_at({Trajectory(run)}, spread_frames({run}, points, paper_radius * paper_radius / 2, 1), context);
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
  a.map = molecule_map(a.estimate, lag, Blur::of_length(a.length, lag), context.execution());
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

Vector model_timescales(const std::vector<States>& states, double model_lag_ps, Index count) {
  return dt * implied_timescales(states, angle_states, Index(std::lround(model_lag_ps / dt)), count);
}

// ---- which length

// Conformations of both runs at all lengths; the length whose t_1 is nearest to the model's, on the first run.
void choose_length(Analysis& a, const Context& context) {
  const std::array estimates{estimate(a.runs[choosing], study_points, context), thinned(a.estimate, study_points)};
  const double model = model_timescales({a.states[choosing]}, model_lag, 1)[0];
  double least = std::numeric_limits<double>::infinity();
  for (const double length : lengths) {
    context.step(0.2, fmt::format("length {} nm", length));
    auto& found = a.by_length.emplace_back();
    for (const std::size_t run : {choosing, judged}) {
      found[run] = conformations(estimates[run], lag, Blur::of_length(length, lag));
    }
    const double off = std::abs(std::log(found[choosing].t_1 / model));
    if (off < least) {
      least = off;
      a.length = length;
    }
  }
}

// ---- standard errors

std::vector<Trajectory> frames_of(const Points& run, const std::vector<TimeBlock>& blocks) {
  std::vector<Trajectory> frames;
  for (const auto& block : blocks) {
    frames.emplace_back(run.middleRows(block.begin, block.frames));
  }
  return frames;
}

std::vector<States> states_of(const States& run, const std::vector<TimeBlock>& blocks) {
  std::vector<States> states;
  for (const auto& block : blocks) {
    states.emplace_back(run.begin() + block.begin, run.begin() + block.begin + block.frames);
  }
  return states;
}

bool is_anti(Index state) { return 3 * state / angle_states == 1; }

double share_anti(const std::vector<States>& states) {
  Index anti = 0, all = 0;
  for (const auto& run : states) {
    all += Index(run.size());
    anti += std::ranges::count_if(run, is_anti);
  }
  return double(anti) / double(all);
}

// Harmonics of the angle by least squares, as in the analysis that the paper compares its own with.
StepSums angle_steps(VectorView angles) {
  const Index steps = std::lround(model_lag / dt), count = std::max<Index>(angles.size() - steps, 0);
  const Points functions = angle_functions(angles, harmonics);
  return step_sums(functions.topRows(count), functions.bottomRows(count));
}

void fit_steps(Analysis& a, const std::vector<TimeBlock>& blocks) {
  const Vector angles = dihedral_angles(a.runs[judged]);
  std::vector<StepSums> sums;
  for (const auto& block : blocks) {
    sums.push_back(angle_steps(angles.segment(block.begin, block.frames)));
  }
  const Vector found = model_lag * fit_evolution(angle_steps(angles), 2).timescales;
  std::array<std::vector<double>, 2> replicates;
  std::mt19937_64 random(choosing_seed);
  for (std::uint64_t k = 0; k < model_replicates; ++k) {
    StepSums drawn;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      drawn += sums[random() % blocks.size()];
    }
    const Vector times = model_lag * fit_evolution(drawn, 2).timescales;
    replicates[0].push_back(times[0]);
    replicates[1].push_back(times[1]);
  }
  for (std::size_t n : {0, 1}) {
    a.squares[n] = {found[Index(n)], standard_deviation(replicates[n])};
  }
}

void bootstrap_model(Analysis& a, const std::vector<TimeBlock>& blocks) {
  const Vector times = model_timescales({a.states[judged]}, model_lag, 2);
  std::array<std::vector<double>, 3> found;
  for (std::uint64_t k = 1; k <= model_replicates; ++k) {
    const auto states = states_of(a.states[judged], resampled(blocks, k));
    const Vector drawn = model_timescales(states, model_lag, 2);
    found[0].push_back(drawn[0]);
    found[1].push_back(drawn[1]);
    found[2].push_back(share_anti(states));
  }
  for (std::size_t n : {0, 1}) {
    a.model[n] = {times[Index(n)], standard_deviation(found[n])};
  }
  a.share_anti = {share_anti({a.states[judged]}), standard_deviation(found[2])};
}

// Drift and diffusion from other frames, at the same points: fewer than those of the map, as the spread is all that is
// asked for.
void bootstrap_map(Analysis& a, const std::vector<TimeBlock>& blocks, const Context& context) {
  const Points points = thinned(a.estimate, bootstrap_points).points;
  std::array<std::vector<double>, 3> found;
  for (std::uint64_t k = 1; k <= map_replicates; ++k) {
    context.step(0.5 + 0.05 * double(k), fmt::format("standard errors, {} of {}", k, map_replicates));
    const auto frames = frames_of(a.runs[judged], resampled(blocks, k));
    const auto drawn = conformations(estimate_at(frames, points, {}), lag, Blur::of_length(a.length, lag));
    found[0].push_back(drawn.t_1);
    found[1].push_back(drawn.t_2);
    found[2].push_back(drawn.anti);
  }
  for (std::size_t n : {0, 1}) {
    a.times[n] = {a.spectrum.timescales[a.modes[n]], standard_deviation(found[n])};
  }
  double weight = 0;
  for (Index i = 0; i < a.angles.size(); ++i) {
    weight += bin_middle(a.angles[i]) == 180 ? a.spectrum.stationary[i] : 0;
  }
  a.anti = {weight, standard_deviation(found[2])};
}

// ---- why the anti form has too little weight

// Shares of the trajectory to the power a / (a + eta): see molecule_map.hpp.
double heated_anti(const Analysis& a, double eta) {
  const Vector diffusion = slow_diffusion(thinned(a.estimate, study_points));
  const double slow = median({diffusion.begin(), diffusion.end()});
  std::array<double, 3> shares{};
  for (const Index state : a.states[judged]) {
    shares[std::size_t(3 * state / angle_states)] += 1.0 / double(a.states[judged].size());
  }
  for (double& share : shares) {
    share = std::pow(share, slow / (slow + eta));
  }
  return shares[1] / (shares[0] + shares[1] + shares[2]);
}

void explain_weights(Analysis& a) {
  const auto some = thinned(a.estimate, study_points);
  const auto blur = Blur::of_length(a.length, lag);
  a.by_rule = conformations(some, lag, {.eta = some.suggested_eta});
  a.heated_anti = heated_anti(a, blur.eta);
  a.not_heated = conformations(drift_of_blurred(some, blur.eta), lag, blur);
}

Analysis analyse(const Context& context) {
  Analysis a;
  context.step(0.0, "reading");
  a.runs = aligned(read_runs(context.data));
  for (const auto& run : a.runs) {
    a.states.push_back(angle_bins(dihedral_angles(run), angle_states));
  }
  a.estimate = estimate(a.runs[judged], point_count, context);
  choose_length(a, context);
  a.angles = dihedral_angles(a.estimate.points);
  find_sets(a, context);
  name_sets(a);
  for (std::size_t n : {0, 1}) {
    a.fits[n] = fit_by_angle(a.angles, a.spectrum.eigenfunctions.col(a.modes[n]), harmonics);
  }
  const auto blocks = time_blocks({a.runs[judged].rows()}, std::lround(block_length / dt));
  fit_steps(a, blocks);
  bootstrap_model(a, blocks);
  explain_weights(a);
  bootstrap_map(a, blocks, context);
  return a;
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

// Share of the frames in each 5 degrees of the dihedral angle, and what the map's stationary weights make of it.
void write_populations(const Analysis& a, const std::filesystem::path& out) {
  Points rows = Points::Zero(72, 3);
  for (const double angle : dihedral_angles(a.runs[judged])) {
    rows(Index(angle / 5) % 72, 1) += 1.0 / double(a.runs[judged].rows());
  }
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
    model.row(i) << at, model_timescales({a.states[judged]}, at, 3).transpose();
  }
  write_table(out / "model.dat", {"lag_ps", "t_1", "t_2", "t_3"}, model);
  Points map(Index(shown_modes), 5);
  for (std::size_t n = 0; n < shown_modes; ++n) {
    const bool slow = n < a.model.size();
    map.row(Index(n)) << double(n + 1), a.spectrum.timescales[a.modes[n]], slow ? a.times[n].error : 0.0,
        slow ? a.model[n].value : NAN, slow ? a.model[n].error : NAN;
  }
  write_table(out / "timescales.dat", {"n", "lkdmap_ps", "error", "model_ps", "error"}, map);
}

void write_lengths(const Analysis& a, const std::filesystem::path& out) {
  Points rows(Index(lengths.size()), 9);
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const auto& [first, second] = a.by_length[k];
    rows.row(Index(k)) << lengths[k], first.t_1, first.t_2, first.anti, second.t_1, second.t_2, second.anti,
        model_timescales({a.states[choosing]}, model_lag, 1)[0], a.model[0].value;
  }
  write_table(out / "lengths.dat",
              {"length_nm", "t_1_run_1", "t_2_run_1", "anti_run_1", "t_1_run_2", "t_2_run_2", "anti_run_2",
               "model_run_1", "model_run_2"},
              rows);
  write_table(out / "share_anti.dat", {"share"}, Points::Constant(1, 1, a.share_anti.value));
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
  options.reference_timescales = {a.model[0].value, a.model[1].value};
  for (Index set = 0; set < sets; ++set) {
    const Index chain = representative(a, chains, set);
    options.structures.push_back(
        {fmt::format("set {}: dihedral angle {:.0f}\u00b0", set, a.angles[chain]), chain_pdb(chains.row(chain))});
  }
  context.report("lkdmap", *a.map, a.spectrum, options, {.sets = &a.clustering});
}

const std::string chosen_length = "length on the other run";
const std::string no_length = "suggested eta, equal widths";

Verdict row(std::string quantity, double value, std::string chosen) {
  return {.example = "butane", .quantity = std::move(quantity), .itomap = value, .chosen = std::move(chosen)};
}

Verdict at_least(std::string quantity, double value, double bound) {
  auto verdict = row(std::move(quantity), value, chosen_length);
  verdict.required = fmt::format("at least {}", bound);
  verdict.pass = value >= bound;
  return verdict;
}

std::string bars(const Estimate& ours, const Estimate& reference) {
  return fmt::format("{:.2g} +- {:.1g}, reference +- {:.1g}", ours.value, ours.error, reference.error);
}

Verdict timescale(std::string quantity, double value, double reference, double paper, std::string chosen) {
  auto verdict = row(std::move(quantity), value, std::move(chosen));
  verdict.paper = paper;
  verdict.reference = reference;
  verdict.required = "within a factor of 2 of the Markov state model";
  verdict.pass = value >= reference / 2 && value <= 2 * reference;
  return verdict;
}

Verdict shown(std::string quantity, std::optional<double> paper, const Estimate& estimate, std::string chosen,
              std::optional<double> reference = {}) {
  auto verdict = row(std::move(quantity), estimate.value, std::move(chosen));
  verdict.paper = paper;
  verdict.reference = reference;
  if (std::isfinite(estimate.error)) {
    verdict.note = fmt::format("+- {:.1g}", estimate.error);
  }
  return verdict;
}

void judge_structure(std::vector<Verdict>& verdicts, const Analysis& a) {
  const Vector t = a.spectrum.timescales(a.modes);
  verdicts.push_back(at_least("variance of psi_1 explained by the dihedral", a.fits[0].explained, 0.9));
  verdicts.push_back(at_least("variance of psi_2 explained by the dihedral", a.fits[1].explained, 0.9));
  verdicts.push_back(at_least("points in the set of their dihedral bin", agreement(a), 0.95));
  verdicts.push_back(at_least("gap lambda_3 / lambda_2", t[1] / t[2], 2));
}

void judge_timescales(std::vector<Verdict>& verdicts, const Analysis& a) {
  constexpr std::array paper{74.0, 36.0}, paper_model{47.0, 37.0};
  const std::array by_rule{a.by_rule.t_1, a.by_rule.t_2};
  for (std::size_t n : {0, 1}) {
    verdicts.push_back(timescale(fmt::format("t_{}, LKDmap (ps)", n + 1), a.times[n].value, a.model[n].value, paper[n],
                                 chosen_length));
    verdicts.back().note = bars(a.times[n], a.model[n]);
  }
  for (std::size_t n : {0, 1}) {
    verdicts.push_back(timescale(fmt::format("t_{}, LKDmap without a length (ps)", n + 1), by_rule[n], a.model[n].value,
                                 paper[n], no_length));
  }
  for (std::size_t n : {0, 1}) {
    verdicts.push_back(shown(fmt::format("t_{}, Markov state model (ps)", n + 1), paper_model[n], a.model[n],
                             fmt::format("{} bins, lag {} ps", angle_states, model_lag)));
  }
  for (std::size_t n : {0, 1}) {
    verdicts.push_back(shown(fmt::format("t_{}, least squares on harmonics (ps)", n + 1), {}, a.squares[n],
                             fmt::format("{} harmonics, lag {} ps", harmonics, model_lag), a.model[n].value));
  }
}

void report_lengths(std::vector<Verdict>& verdicts, const Analysis& a) {
  verdicts.push_back(shown("length (nm)", paper_radius, {a.length, NAN}, "best t_1 on the other run"));
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const auto& found = a.by_length[k][judged];
    verdicts.push_back(
        shown(fmt::format("t_1 at {} nm (ps)", lengths[k]), {}, {found.t_1, NAN}, "shown", a.model[0].value));
    verdicts.back().note = fmt::format("t_2 {:.2g} ps, weight of anti {:.2f}", found.t_2, found.anti);
  }
}

void report_weights(std::vector<Verdict>& verdicts, const Analysis& a) {
  const double share = a.share_anti.value;
  verdicts.push_back(shown("weight of anti; reference: the trajectory", {}, a.anti, chosen_length, share));
  verdicts.back().note = bars(a.anti, a.share_anti);
  verdicts.push_back(
      shown("weight of anti that heating by eta predicts", {}, {a.heated_anti, NAN}, chosen_length, share));
  verdicts.push_back(
      shown("weight of anti, drift corrected for it", {}, {a.not_heated.anti, NAN}, chosen_length, share));
  verdicts.push_back(shown("weight of anti without a length", {}, {a.by_rule.anti, NAN}, no_length, share));
}

std::vector<Verdict> verdicts(const Analysis& a) {
  std::vector<Verdict> all;
  judge_structure(all, a);
  judge_timescales(all, a);
  report_lengths(all, a);
  report_weights(all, a);
  double frames = 0;
  for (const auto& run : a.runs) {
    frames += double(run.rows());
  }
  all.push_back(shown("trajectory (ns)", 100, {frames * dt / 1000, NAN}, {}));
  all.back().note = "the second half is judged";
  return all;
}

std::vector<Verdict> run(const Context& context) {
  const auto a = analyse(context);
  write_eigenfunctions(a, context.out);
  write_populations(a, context.out);
  write_conformations(a, context.out);
  write_timescales(a, context.out);
  write_lengths(a, context.out);
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
