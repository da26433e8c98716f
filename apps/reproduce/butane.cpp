// n-butane in water: three conformations found from the positions of its four carbons, without being told the angle.
// What is computed is in butane_study.hpp; here it is drawn and judged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "reproduce/butane_study.hpp"
#include "reproduce/carbon_chain.hpp"
#include "reproduce/example.hpp"
#include "reproduce/figures.hpp"

namespace itomap::reproduce {
namespace {

using namespace molecule;

constexpr Index shown_chains = 60;

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
    verdicts.push_back(shown(fmt::format("t_1 at {} nm (ps)", lengths[k]), {}, {found.t_1, NAN}, "all five are shown",
                             a.model[0].value));
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
