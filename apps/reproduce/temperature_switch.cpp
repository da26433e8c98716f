// Section "Temperature switch": four wells, sampled hot and not long enough, seen at two temperatures.
//
// At beta = 1 the narrow pass along x is the slow one, at beta = 2 the barrier along y. TMDmap and LKDmap must find
// both from the same hot points; the standard map knows one temperature only. One run of 5,000 correlated steps may be
// lucky: everything is a median over seeds, and the spread is shown. Scales are those that --epsilon auto finds, for
// each map and temperature, on a run that is not judged; the standard map takes TMDmap's at beta = 1. Eigenfunctions of
// both maps are extrapolated to epsilon = 0 by the same rule, and shown at epsilon beside. Flagged outlier modes are
// left out. What least squares on the steps of the run finds, which the paper names as an alternative, is shown as
// well.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "itomap/itomap.hpp"
#include "reproduce/evolution.hpp"
#include "reproduce/example.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/modes.hpp"

namespace itomap::reproduce {
namespace {

constexpr std::string_view name = "temperature-switch";
constexpr double sampled_beta = 1.0;
constexpr double time_step = 0.02;
constexpr double wall = 2.0;  // of the reference's domain; a step beyond is not taken
constexpr Index steps = 5000;
constexpr std::uint64_t default_seeds = 20;
constexpr std::array betas{1.0, 2.0};
constexpr std::size_t cold = 1;  // index of beta = 2, where the paper compares densities and embeddings

constexpr double converted_epsilon = 0.05;  // the paper's 0.2 is that of exp(-r^2 / epsilon)
constexpr double literal_epsilon = 0.2;
constexpr std::array<Index, 5> polynomial_degrees{2, 4, 6, 8, 10};  // of least squares
const std::string chosen_by = fmt::format("auto on seed {}", choosing_seed);
const std::string chosen_with_limit = chosen_by + ", limit of eps, 2 eps";

struct Target {
  ItoSystem system;
  PlanarReference reference;
};

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const double beta : betas) {
    const auto system = make_system("temperature-switch", {.beta = beta});
    all.push_back({system, planar_reference(system.log_target, Box::cube(2, wall), {.count = 3, .accuracy = 1e-4})});
  }
  return all;
}

Points sample(std::uint64_t seed) {
  const auto system = make_system("temperature-switch", {.beta = sampled_beta});
  return euler_maruyama(system, {.dt = time_step,
                                 .steps = steps,
                                 .start = Points::Constant(1, 2, -1.0),
                                 .box = Box::cube(2, wall),
                                 .seed = seed})
      .points;
}

// The leading modes of a map that are not flagged.
struct Solution {
  Vector density;     // q_epsilon
  Vector stationary;  // phi_0
  Block psi;          // psi_1, psi_2; real and imaginary part where they are a pair
  bool pair = false;
  Block embedding;  // e^lambda_1 psi_1, e^lambda_2 psi_2
  Vector limit;     // psi_1 extrapolated to epsilon = 0; empty unless asked for
};

// A map of the first sample becomes a page of its own.
struct Shown {
  const Context* context = nullptr;  // none: not this one
  std::string name{};
  std::string title{};
  Vector timescales{};  // of the reference
};

void report(const Shown& shown, const Map& map, const Spectrum& spectrum) {
  if (shown.context != nullptr) {
    ReportOptions options{.title = shown.title};
    options.reference_timescales.assign(shown.timescales.begin(), shown.timescales.end());
    shown.context->report(shown.name, map, spectrum, options);
  }
}

// `time_unit` turns the map's time into that of dX = -beta grad U dt + sqrt(2) dW.
Solution solve(const Map& map, double time_unit, const Shown& shown = {}) {
  const auto spectrum = eigenpairs(map, {.count = 8});
  report(shown, map, spectrum);
  auto trusted = trusted_modes(spectrum);
  if (trusted.size() < 2) {
    trusted = {1, 2};
  }
  Solution s{map.density(), spectrum.stationary, Block(map.size(), 2), false, Block(map.size(), 2), {}};
  s.pair = spectrum.eigenvalues[trusted[0]].imag() != 0.0;
  for (Index n = 0; n < 2; ++n) {
    const Index mode = trusted[static_cast<std::size_t>(n)];
    s.psi.col(n) = s.pair && n == 1 ? spectrum.eigenfunctions.im.col(mode) : spectrum.eigenfunctions.re.col(mode);
    s.embedding.col(n) = std::exp(spectrum.eigenvalues[mode].real() / time_unit) * s.psi.col(n);
  }
  return s;
}

// What psi is at 2 epsilon. The slowest two modes are close: they may have changed places, or, of a map that is not
// reversible, merged into a pair, which determines no more than the plane that the two span.
Vector at_twice_epsilon(const Vector& psi, const Solution& wider, const Vector& weights) {
  if (wider.pair) {
    const Matrix weighted = weights.asDiagonal() * wider.psi;
    const Matrix gram = weighted.transpose() * wider.psi;
    const Vector nearest = wider.psi * gram.inverse() * (weighted.transpose() * psi);
    return nearest / std::sqrt(weights.dot(nearest.cwiseAbs2()) / weights.sum());
  }
  const bool first = correlation(psi, wider.psi.col(0), weights) > correlation(psi, wider.psi.col(1), weights);
  return aligned(wider.psi.col(first ? 0 : 1), psi);
}

Vector extrapolated(const Vector& psi, const Solution& wider, const Vector& weights) {
  return 2.0 * psi - at_twice_epsilon(psi, wider, weights);
}

Solution target_measure(const Points& points, const Target& target, double epsilon, const Shown& shown = {}) {
  return solve(target_measure_map(points, log_target_at(target.system, points), {.epsilon = epsilon}), 1.0, shown);
}

Solution target_measure_limit(const Points& points, const Target& target, double epsilon, const Shown& shown) {
  Solution solution = target_measure(points, target, epsilon, shown);
  const Solution wider = target_measure(points, target, 2.0 * epsilon);
  solution.limit = extrapolated(solution.psi.col(0), wider, solution.stationary);
  return solution;
}

// b = -grad U and A = I / beta, as in the paper: a clock that runs beta times slower.
Solution local_kernel(const Points& points, const Target& target, double epsilon, double density_epsilon) {
  const double beta = target.system.beta;
  const auto map = local_kernel_map(points, drift_at(target.system, points) / beta, Diffusion::constant(1.0 / beta),
                                    {.epsilon = epsilon, .density_epsilon = density_epsilon});
  return solve(map, 1.0 / beta);
}

Solution local_kernel_limit(const Points& points, const Target& target, double epsilon, double density_epsilon) {
  Solution solution = local_kernel(points, target, epsilon, density_epsilon);
  const Solution wider = local_kernel(points, target, 2.0 * epsilon, 2.0 * density_epsilon);
  solution.limit = extrapolated(solution.psi.col(0), wider, solution.stationary);
  return solution;
}

// What --epsilon auto says at one temperature.
struct Scales {
  double target, local, density;
};

Scales chosen_scales(const Points& points, const Target& target, const Context& context) {
  const double beta = target.system.beta;
  const ScaleScanOptions options = context.scan_options();
  const auto tmd = scan_scales(
      {.method = Method::TargetMeasureMap, .points = points, .log_target = log_target_at(target.system, points)},
      options);
  const auto lkd = scan_scales({.method = Method::LocalKernelMap,
                                .points = points,
                                .drift = drift_at(target.system, points) / beta,
                                .diffusion = Diffusion::constant(1.0 / beta)},
                               options);
  return {tmd.epsilon, lkd.epsilon, *lkd.density_epsilon};
}

// psi_1 of the process that was simulated, from its own steps.
Vector least_squares(const Points& points, Index degree) {
  const Points functions = plane_polynomials(points, wall, degree);
  const Index last = points.rows() - 1;
  const auto found = fit_evolution(step_sums(functions.topRows(last), functions.bottomRows(last)), 1);
  return functions * found.coefficients.col(0);
}

Index best_degree(const Points& points, const Target& target) {
  const Vector reference = target.reference.at(points).col(1);
  return *std::ranges::min_element(polynomial_degrees, {},
                                   [&](Index degree) { return shape_error(least_squares(points, degree), reference); });
}

// What is judged of one seed; one entry per temperature.
struct Outcome {
  double recovered = NAN;  // l1 error of phi_0 q at beta = 2
  double sampled = NAN;    // and of q itself
  std::array<double, 2> psi{}, weighted_psi{}, plain_psi{}, local_psi{}, plain_local_psi{}, difference{},
      plain_difference{}, along_x{}, along_y{}, local_along_x{}, local_along_y{}, squares_psi{};
  double standard_along_x = NAN, standard_along_y = NAN;
};

// Outcomes as numbers, for other processes.
using OutcomeNumbers = std::array<double, sizeof(Outcome) / sizeof(double)>;

Vector numbers_of(const std::array<Outcome, 3>& outcomes) {
  Vector numbers(static_cast<Index>(3 * OutcomeNumbers().size()));
  Index place = 0;
  for (const auto& outcome : outcomes) {
    for (const double number : std::bit_cast<OutcomeNumbers>(outcome)) {
      numbers[place++] = number;
    }
  }
  return numbers;
}

Outcome outcome_of(const Vector& numbers, Index k) {
  OutcomeNumbers own{};
  const auto size = static_cast<Index>(own.size());
  std::copy_n(numbers.data() + k * size, size, own.begin());
  return std::bit_cast<Outcome>(own);
}

struct Seed {
  Points points;
  std::vector<Solution> target, local;  // one per temperature
  Solution standard;
  Vector squares;  // psi_1 by least squares
  Outcome outcome;
};

void compare_densities(Outcome& outcome, const Points& points, const Solution& solution, const Target& target) {
  const Vector log_pi = log_target_at(target.system, points);
  const Vector pi = (log_pi.array() - log_pi.maxCoeff()).exp();
  outcome.recovered = density_error(solution.stationary.cwiseProduct(solution.density), pi);
  outcome.sampled = density_error(solution.density, pi);
}

void compare_modes(Seed& seed, std::size_t k, const Target& target) {
  auto& o = seed.outcome;
  const auto& tmd = seed.target[k];
  const auto& lkd = seed.local[k];
  const Vector reference = target.reference.at(seed.points).col(1);
  o.psi[k] = shape_error(tmd.limit, reference);
  const Vector root = tmd.stationary.cwiseSqrt();
  o.weighted_psi[k] = shape_error(tmd.limit.cwiseProduct(root), reference.cwiseProduct(root));
  o.plain_psi[k] = shape_error(tmd.psi.col(0), reference);
  o.local_psi[k] = shape_error(lkd.limit, reference);
  o.plain_local_psi[k] = shape_error(lkd.psi.col(0), reference);
  o.difference[k] = shape_error(lkd.limit, tmd.limit);
  o.plain_difference[k] = shape_error(lkd.psi.col(0), tmd.psi.col(0));
  o.squares_psi[k] = shape_error(seed.squares, reference);
  o.along_x[k] = correlation(tmd.psi.col(0), seed.points.col(0), tmd.stationary);
  o.along_y[k] = correlation(tmd.psi.col(0), seed.points.col(1), tmd.stationary);
  o.local_along_x[k] = correlation(lkd.psi.col(0), seed.points.col(0), lkd.stationary);
  o.local_along_y[k] = correlation(lkd.psi.col(0), seed.points.col(1), lkd.stationary);
}

Shown shown_target(const Context& context, std::size_t k, const Target& target) {
  return {&context, fmt::format("beta-{:g}", betas[k]),
          fmt::format("TMDmap at beta = {:g}{}", betas[k], k == cold ? ", colder than the sample" : ", as sampled"),
          target.reference.timescales.tail(target.reference.timescales.size() - 1)};
}

Seed run_seed(std::uint64_t number, const std::vector<Target>& targets, const std::vector<Scales>& scales, Index degree,
              const Context& context) {
  Seed seed{.points = sample(number), .target = {}, .local = {}, .standard = {}, .squares = {}, .outcome = {}};
  seed.squares = least_squares(seed.points, degree);
  for (std::size_t k = 0; k < betas.size(); ++k) {
    const auto shown = number == 1 ? shown_target(context, k, targets[k]) : Shown{};
    seed.target.push_back(target_measure_limit(seed.points, targets[k], scales[k].target, shown));
    seed.local.push_back(local_kernel_limit(seed.points, targets[k], scales[k].local, scales[k].density));
    compare_modes(seed, k, targets[k]);
  }
  seed.standard = solve(diffusion_map(seed.points, {.epsilon = scales[0].target, .alpha = 0.5}), 1.0);
  auto& o = seed.outcome;
  o.standard_along_x = correlation(seed.standard.psi.col(0), seed.points.col(0), seed.standard.stationary);
  o.standard_along_y = correlation(seed.standard.psi.col(0), seed.points.col(1), seed.standard.stationary);
  compare_densities(o, seed.points, seed.target[cold], targets[cold]);
  return seed;
}

// The errors alone, of TMDmap alone: what the paper's epsilon gives.
Outcome run_errors(const Points& points, const std::vector<Target>& targets, double epsilon) {
  Outcome outcome;
  for (std::size_t k = 0; k < betas.size(); ++k) {
    const auto solution = target_measure(points, targets[k], epsilon);
    outcome.psi[k] = shape_error(solution.psi.col(0), targets[k].reference.at(points).col(1));
    if (k == cold) {
      compare_densities(outcome, points, solution, targets[k]);
    }
  }
  return outcome;
}

// ---- what is judged

using Outcomes = std::vector<Outcome>;

template <class Member>
std::vector<double> collected(const Outcomes& outcomes, const Member& member) {
  std::vector<double> values;
  for (const auto& outcome : outcomes) {
    values.push_back(member(outcome));
  }
  return values;
}

Verdict row(std::string quantity, std::string chosen) {
  return {.example = std::string(name), .quantity = std::move(quantity), .chosen = std::move(chosen)};
}

// An error in per cent, with its spread over the seeds.
Verdict error_row(const std::string& quantity, const std::vector<double>& values, std::optional<double> paper,
                  std::optional<double> limit, const std::string& chosen = chosen_by) {
  auto verdict = row(quantity + " [%]", chosen);
  if (values.size() > 1) {
    verdict.note = fmt::format("half of the seeds within {:.1f} to {:.1f}", 100.0 * quantile(values, 0.25),
                               100.0 * quantile(values, 0.75));
  }
  verdict.paper = paper;
  verdict.itomap = 100.0 * median(values);
  verdict.reference = 0.0;
  if (limit) {
    verdict.required = fmt::format("at most {:g} %", *limit);
    verdict.pass = *verdict.itomap <= *limit;
  }
  return verdict;
}

// Which coordinate a mode follows: it must be this one, more than the other, in most seeds.
Verdict coordinate_row(const std::string& quantity, const std::vector<double>& with, const std::vector<double>& other,
                       const std::string& chosen) {
  auto verdict = row(quantity, chosen);
  verdict.itomap = median(with);
  verdict.required = fmt::format("more than with the other coordinate ({:.2f})", median(other));
  verdict.pass = *verdict.itomap > median(other);
  return verdict;
}

void judge_errors(std::vector<Verdict>& verdicts, const Outcomes& outcomes) {
  const auto of = [&](auto member) { return collected(outcomes, member); };
  verdicts.push_back(error_row("l1 error of phi_0 q, beta = 2", of([](auto& o) { return o.recovered; }), 7.2, 5.0));
  verdicts.push_back(error_row("l1 error of q, beta = 2", of([](auto& o) { return o.sampled; }), 43.0, {}));
  verdicts.push_back(
      error_row("error of psi_1, beta = 1", of([](auto& o) { return o.psi[0]; }), 4.8, 4.5, chosen_with_limit));
  verdicts.push_back(
      error_row("error of psi_1, beta = 2", of([](auto& o) { return o.psi[1]; }), 5.5, 3.0, chosen_with_limit));
  for (std::size_t k = 0; k < betas.size(); ++k) {
    verdicts.push_back(error_row(fmt::format("error of psi_1, beta = {:g}, weighted by pi", betas[k]),
                                 of([&](auto& o) { return o.weighted_psi[k]; }), {}, {}, chosen_with_limit));
    verdicts.push_back(error_row(fmt::format("error of psi_1, beta = {:g}, not extrapolated", betas[k]),
                                 of([&](auto& o) { return o.plain_psi[k]; }), {}, {}));
  }
}

void judge_coordinates(std::vector<Verdict>& verdicts, const Outcomes& outcomes) {
  const auto of = [&](auto member) { return collected(outcomes, member); };
  const auto add = [&](const char* quantity, auto with, auto other, const std::string& chosen = chosen_by) {
    verdicts.push_back(coordinate_row(quantity, of(with), of(other), chosen));
  };
  add(
      "correlation of psi_1 and x, beta = 1", [](auto& o) { return o.along_x[0]; },
      [](auto& o) { return o.along_y[0]; });
  add(
      "correlation of psi_1 and y, beta = 2", [](auto& o) { return o.along_y[1]; },
      [](auto& o) { return o.along_x[1]; });
  add(
      "wrong: correlation of dmap's psi_1 and x, beta = 2", [](auto& o) { return o.standard_along_x; },
      [](auto& o) { return o.standard_along_y; }, "TMDmap's, beta = 1");
  add(
      "correlation of LKDmap's psi_1 and x, beta = 1", [](auto& o) { return o.local_along_x[0]; },
      [](auto& o) { return o.local_along_y[0]; });
  add(
      "correlation of LKDmap's psi_1 and y, beta = 2", [](auto& o) { return o.local_along_y[1]; },
      [](auto& o) { return o.local_along_x[1]; });
}

// The paper: "identical results". Both maps are as far from the truth as the samples allow; they may differ by as much.
void judge_agreement(std::vector<Verdict>& verdicts, const Outcomes& outcomes) {
  for (std::size_t k = 0; k < betas.size(); ++k) {
    const auto with = [&](auto member) { return collected(outcomes, member); };
    verdicts.push_back(error_row(fmt::format("LKDmap against TMDmap, psi_1, beta = {:g}", betas[k]),
                                 with([&](auto& o) { return o.difference[k]; }), {}, 10.0, chosen_with_limit));
    verdicts.push_back(error_row(fmt::format("LKDmap against TMDmap, psi_1, beta = {:g}, not extrapolated", betas[k]),
                                 with([&](auto& o) { return o.plain_difference[k]; }), {}, {}));
    verdicts.push_back(error_row(fmt::format("error of LKDmap's psi_1, beta = {:g}", betas[k]),
                                 with([&](auto& o) { return o.local_psi[k]; }), {}, {}, chosen_with_limit));
    verdicts.push_back(error_row(fmt::format("error of LKDmap's psi_1, beta = {:g}, not extrapolated", betas[k]),
                                 with([&](auto& o) { return o.plain_local_psi[k]; }), {}, {}));
  }
}

void report_least_squares(std::vector<Verdict>& verdicts, const Outcomes& outcomes) {
  for (std::size_t k = 0; k < betas.size(); ++k) {
    verdicts.push_back(error_row(fmt::format("error of psi_1, beta = {:g}, least squares on the steps", betas[k]),
                                 collected(outcomes, [&](auto& o) { return o.squares_psi[k]; }), {}, {},
                                 fmt::format("best of {} degrees, seed {}", polynomial_degrees.size(), choosing_seed)));
  }
}

void report_scales(std::vector<Verdict>& verdicts, const std::vector<Scales>& scales) {
  for (std::size_t k = 0; k < betas.size(); ++k) {
    const auto add = [&](const char* quantity, double value, double paper) {
      verdicts.push_back(row(fmt::format("{}, beta = {:g}", quantity, betas[k]), chosen_by));
      verdicts.back().paper = paper;
      verdicts.back().itomap = value;
    };
    add("eps of TMDmap; the paper's / 4", scales[k].target, converted_epsilon);
    add("eps of LKDmap", scales[k].local, literal_epsilon);
    add("density eps of LKDmap; the paper's / 4", scales[k].density, converted_epsilon);
  }
}

void report_epsilon(std::vector<Verdict>& verdicts, const std::string& what, const Outcomes& outcomes) {
  const auto of = [&](auto member) { return collected(outcomes, member); };
  const auto add = [&](const std::string& quantity, const std::vector<double>& values, double paper) {
    verdicts.push_back(error_row(quantity + ", " + what, values, paper, {}, "the paper's"));
  };
  add("l1 error of phi_0 q", of([](auto& o) { return o.recovered; }), 7.2);
  add("l1 error of q", of([](auto& o) { return o.sampled; }), 43.0);
  add("error of psi_1, beta = 1", of([](auto& o) { return o.psi[0]; }), 4.8);
  add("error of psi_1, beta = 2", of([](auto& o) { return o.psi[1]; }), 5.5);
}

// ---- what is drawn

Matrix on_grid(const Vector& x, const Vector& y, const std::function<double(double, double)>& f) {
  Matrix values(x.size(), y.size());
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < y.size(); ++j) {
      values(i, j) = f(x[i], y[j]);
    }
  }
  return values;
}

// The sign in which pictures show a mode: rising along the coordinate that it follows.
Vector rising(const Vector& psi, const Points& points) {
  const Vector one = Vector::Ones(points.rows());
  const bool x = correlation(psi, points.col(0), one) > correlation(psi, points.col(1), one);
  return aligned(psi, points.col(x ? 0 : 1));
}

void write_grids(const Context& context, const std::vector<Target>& targets) {
  const Vector side = Vector::LinSpaced(161, -wall, wall);
  const auto log_pi = [&](std::size_t k, double x, double y) {
    return targets[k].system.log_target(std::array{x, y}) - targets[k].system.log_target(std::array{1.0, 1.0});
  };
  write_grid(context.out / "potential.dat", side, side,
             on_grid(side, side, [&](double x, double y) { return -log_pi(0, x, y) / betas[0]; }));
  write_grid(context.out / "target.dat", side, side,
             on_grid(side, side, [&](double x, double y) { return std::exp(log_pi(cold, x, y)); }));
  for (std::size_t k = 0; k < betas.size(); ++k) {
    Points nodes(side.size() * side.size(), 2);
    for (Index i = 0; i < side.size(); ++i) {
      for (Index j = 0; j < side.size(); ++j) {
        nodes.row(i * side.size() + j) << side[i], side[j];
      }
    }
    const Vector psi = rising(targets[k].reference.at(nodes).col(1), nodes);
    write_grid(context.out / fmt::format("reference_beta_{:g}.dat", betas[k]), side, side,
               Eigen::Map<const Points>(psi.data(), side.size(), side.size()));
  }
}

void write_points(const Context& context, const Seed& seed) {
  const auto& tmd = seed.target;
  const auto& lkd = seed.local;
  const Vector pi = tmd[cold].stationary.cwiseProduct(tmd[cold].density);
  Points rows(seed.points.rows(), 14);
  rows << seed.points, tmd[cold].density / tmd[cold].density.maxCoeff(), pi / pi.maxCoeff(),
      rising(tmd[0].limit, seed.points), rising(tmd[1].limit, seed.points), rising(lkd[0].limit, seed.points),
      rising(lkd[1].limit, seed.points), tmd[cold].embedding, seed.standard.embedding, lkd[cold].embedding;
  write_table(context.out / "points.dat",
              {"x", "y", "density", "recovered", "tmd_beta_1", "tmd_beta_2", "lkd_beta_1", "lkd_beta_2", "tmd_1",
               "tmd_2", "dmap_1", "dmap_2", "lkd_1", "lkd_2"},
              rows);
}

void write_seeds(const Context& context, const Outcomes& outcomes) {
  Points rows(static_cast<Index>(outcomes.size()), 7);
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto& o = outcomes[static_cast<std::size_t>(i)];
    rows.row(i) << static_cast<double>(i + 1), o.recovered, o.sampled, o.psi[0], o.psi[1], o.local_psi[0],
        o.local_psi[1];
  }
  write_table(context.out / "seeds.dat",
              {"seed", "recovered", "sampled", "psi_beta_1", "psi_beta_2", "lkd_beta_1", "lkd_beta_2"}, rows);
}

std::vector<Verdict> run(const Context& context) {
  context.step(0.0, "reference solutions");
  const auto all_targets = targets();
  const Points other = sample(choosing_seed);
  std::vector<Scales> scales;
  for (const auto& target : all_targets) {
    scales.push_back(chosen_scales(other, target, context));
  }
  const Index degree = best_degree(other, all_targets[0]);
  const auto seeds = context.seeds.value_or(default_seeds);
  std::vector<Vector> judged(seeds);
  const Shares shares(context.ranks);
  for (std::uint64_t number = 1; number <= seeds; ++number) {
    if (!shares.mine(static_cast<Index>(number - 1))) {
      continue;
    }
    context.step(static_cast<double>(number - 1) / static_cast<double>(seeds),
                 fmt::format("seed {} of {}", number, seeds));
    const Seed seed = run_seed(number, all_targets, scales, degree, context);
    judged[number - 1] = numbers_of({seed.outcome, run_errors(seed.points, all_targets, converted_epsilon),
                                     run_errors(seed.points, all_targets, literal_epsilon)});
    if (number == 1) {
      write_points(context, seed);
    }
  }
  shares.complete(judged);
  if (!context.writes()) {
    return {};
  }
  Outcomes ours, converted, literal;
  for (const auto& numbers : judged) {
    ours.push_back(outcome_of(numbers, 0));
    converted.push_back(outcome_of(numbers, 1));
    literal.push_back(outcome_of(numbers, 2));
  }
  write_grids(context, all_targets);
  write_seeds(context, ours);
  std::vector<Verdict> verdicts;
  judge_errors(verdicts, ours);
  judge_coordinates(verdicts, ours);
  judge_agreement(verdicts, ours);
  report_least_squares(verdicts, ours);
  report_scales(verdicts, scales);
  report_epsilon(verdicts, "the paper's eps / 4", converted);
  report_epsilon(verdicts, "the paper's eps", literal);
  return verdicts;
}

}  // namespace

Example temperature_switch() {
  return {
      name, "four wells sampled hot, seen at two temperatures",
      "Four wells, sampled at a high temperature and not for long enough. Which way is slow depends on the "
      "temperature: through the narrow pass when it is hot, over the barrier when it is cold. TMDmap and LKDmap see "
      "both from the same hot points; the standard map knows one temperature alone.",
      run, true};
}

}  // namespace itomap::reproduce
