#include "reproduce/butane_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "itomap/core/error.hpp"
#include "itomap/io/array_file.hpp"
#include "reproduce/bootstrap.hpp"
#include "reproduce/carbon_chain.hpp"
#include "reproduce/evolution.hpp"

namespace itomap::reproduce::molecule {
namespace {

constexpr double lag = 0.05;          // ps, the paper's
constexpr Index point_count = 10000;  // the paper's
constexpr Index study_points = 4000;  // for lengths and explanations
constexpr Index bootstrap_points = 2500;
constexpr std::uint64_t map_replicates = 10, model_replicates = 100;
constexpr double block_length = 100;  // ps: several t_1
constexpr Index neighbours = 100;

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
  std::map<Index, StepSums> sums;  // by the first frame of a block
  for (const auto& block : blocks) {
    sums[block.begin] = angle_steps(angles.segment(block.begin, block.frames));
  }
  const Vector found = model_lag * fit_evolution(angle_steps(angles), 2).timescales;
  std::array<std::vector<double>, 2> replicates;
  for (std::uint64_t k = 1; k <= model_replicates; ++k) {
    StepSums drawn;
    for (const auto& block : resampled(blocks, k)) {
      drawn += sums.at(block.begin);
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
  a.by_rule = conformations(a.estimate, lag, {.eta = a.estimate.suggested_eta});
  a.heated_anti = heated_anti(a, blur.eta);
  a.not_heated = conformations(drift_of_blurred(some, blur.eta), lag, blur);
}

}  // namespace

double bin_middle(double angle) { return 60 + 120 * std::floor(angle / 120); }

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

}  // namespace itomap::reproduce::molecule
