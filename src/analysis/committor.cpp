#include "itomap/analysis/committor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/belongs.hpp"
#include "analysis/committor_of.hpp"
#include "analysis/hitting.hpp"
#include "analysis/passage_mean.hpp"
#include "analysis/reactive_flux.hpp"
#include "analysis/reversed_chain.hpp"
#include "analysis/set_edges.hpp"
#include "core/crew.hpp"
#include "core/numbers.hpp"
#include "core/reporter.hpp"
#include "generator/generator.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

void check_set(const char* name, const std::vector<Index>& set, Index points) {
  if (set.empty()) {
    throw InvalidArgument(fmt::format("{}: holds no point; name at least one", name));
  }
  for (const Index i : set) {
    if (i < 0 || i >= points) {
      throw InvalidArgument(
          fmt::format("{}: there is no point {}; the map has the points 0 to {}", name, i, points - 1));
    }
  }
}

Vector indicator(const std::vector<Index>& set, Index points) {
  Vector result = Vector::Zero(points);
  result(set).setOnes();
  return result;
}

void check_disjoint(const Vector& source, const Vector& sink) {
  Index both = 0;
  if (source.cwiseProduct(sink).maxCoeff(&both) > 0.0) {
    throw InvalidArgument(
        fmt::format("source and sink: both hold point {}; take it out of one of them, they must not overlap", both));
  }
}

/// The sets, which of them the process can reach from each point, as 0 or 1 at the points, and their edges.
struct Sets {
  Vector source;
  Vector sink;
  Vector sees_source;  // the point's component holds a point of the source
  Vector sees_sink;
  Vector source_edge{};  // weights of steps, see set_edges.hpp
  Vector sink_edge{};
  Vector to_sink{};  // of steps into either set, the share that ends in the sink
};

Vector reachable(const Generator& g, const std::vector<Index>& set) {
  std::vector<bool> holds(std::size_t(g.diagnostics.components), false);
  for (const Index i : set) {
    holds[std::size_t(g.component[std::size_t(i)])] = true;
  }
  Vector result(g.size());
  for (Index i = 0; i < g.size(); ++i) {
    result[i] = holds[std::size_t(g.component[std::size_t(i)])] ? 1.0 : 0.0;
  }
  return result;
}

Vector complement(const Vector& set) { return Vector::Ones(set.size()) - set; }

/// The set, and all points from where a step may lead into it, and so on; never from a point of `end`.
Vector with_ways_into(const Generator& g, Vector set, const Vector& end) {
  while (true) {
    const Vector arrives = g.markov(set).col(0);
    const Vector larger = (arrives.array() > 0.0 && end.array() == 0.0).select(1.0, set);
    if (larger == set) {
      return set;
    }
    set = larger;
  }
}

/// Without the points from where the process may come to a place that does not lead to the goal: it waits there for
/// ever, however unlikely that is. A reversible process can go back from everywhere, and a grid does not tell a small
/// entry from none.
Vector surely_sees(const Generator& g, const Vector& goal, const Vector& sees_goal) {
  if (g.reversible || g.kernel->accuracy() > 0.0) {
    return sees_goal;
  }
  const Vector arrives = with_ways_into(g, goal, Vector::Zero(goal.size()));
  const Vector lost = with_ways_into(g, sees_goal.cwiseProduct(complement(arrives)), goal);
  return sees_goal.cwiseProduct(complement(lost));
}

Apply markov_of(const Generator& g) {
  return [&g](PointsView x) { return g.markov(x); };
}

Sets make_sets(const Generator& g, const std::vector<Index>& source, const std::vector<Index>& sink, bool sharp) {
  check_set("source", source, g.size());
  check_set("sink", sink, g.size());
  Sets sets{indicator(source, g.size()), indicator(sink, g.size()), reachable(g, source), reachable(g, sink)};
  check_disjoint(sets.source, sets.sink);
  sets.source_edge = edge_weights(markov_of(g), sets.source, sharp);
  sets.sink_edge = edge_weights(markov_of(g), sets.sink, sharp);
  const Vector into_source = g.markov(sets.source).col(0);
  const Vector into_sink = g.markov(sets.sink).col(0);
  sets.to_sink = into_sink.binaryExpr(into_source, [](double b, double a) { return b > 0.0 ? b / (a + b) : 0.0; });
  return sets;
}

/// Points between the sets, where a committor is more than 0 or 1.
Vector between(const Sets& sets) {
  return sets.sees_source.cwiseProduct(sets.sees_sink)
      .cwiseProduct(complement(sets.source))
      .cwiseProduct(complement(sets.sink));
}

StepsBetween steps_of(const Apply& markov, const Sets& sets, const Vector& inside) {
  return steps_between(markov, sets.source, sets.sink, inside, sets.source_edge.cwiseProduct(sets.sink_edge),
                       sets.to_sink);
}

/// In steps, which are the same in every unit of time.
HittingProblem time_problem(const char* name, const Vector& goal, const Vector& sees_goal, const Vector& edge) {
  const Vector inside = sees_goal.cwiseProduct(complement(goal));
  return {name, {inside.cwiseProduct(edge), inside}};
}

/// The solution between the sets; elsewhere the value is known from the sets that the point can reach.
Vector committor_values(const Vector& solution, const Vector& inside, const Vector& goal, const Vector& sees_goal,
                        const Vector& sees_other) {
  Vector q(solution.size());
  for (Index i = 0; i < q.size(); ++i) {
    if (inside[i] > 0.0) {
      q[i] = std::clamp(solution[i], 0.0, 1.0);
    } else if (sees_goal[i] == 0.0 && sees_other[i] == 0.0) {
      q[i] = undefined;
    } else {
      q[i] = goal[i] > 0.0 || sees_other[i] == 0.0 ? 1.0 : 0.0;
    }
  }
  return q;
}

/// Elimination of a singular system, of a process that need not arrive, may leave any sign.
Vector time_values(const Vector& steps, double step, const Vector& sees_goal) {
  return steps.binaryExpr(sees_goal,
                          [step](double n, double sees) { return sees > 0.0 && n >= 0.0 ? step * n : infinite; });
}

void solve_forward_problems(const Generator& g, const Spectrum& spectrum, const Sets& sets, const StepsBetween& steps,
                            const CommittorOptions& options, Reporter& reporter, CommittorResult& result) {
  const Vector inside = between(sets);
  const Vector sees_sink = surely_sees(g, sets.sink, sets.sees_sink);
  const Vector sees_source = surely_sees(g, sets.source, sets.sees_source);
  std::vector<HittingProblem> problems{{"forward committor", {steps.weights, steps.into_sink}}};
  if (options.passage_times) {
    problems.push_back(time_problem("time to sink", sets.sink, sees_sink, sets.sink_edge));
    problems.push_back(time_problem("time to source", sets.source, sees_source, sets.source_edge));
  }
  const auto solutions = solve_forward(g, spectrum, problems, options, reporter);
  for (const HittingSolution& solution : solutions) {
    result.solves.push_back(solution.report);
  }
  result.forward = committor_values(solutions[0].x, inside, sets.sink, sets.sees_sink, sets.sees_source);
  if (options.passage_times) {
    result.time_to_sink = time_values(solutions[1].x, g.time_step(), sees_sink);
    result.time_to_source = time_values(solutions[2].x, g.time_step(), sees_source);
  }
}

/// Returns the steps of the process run backwards.
StepsBetween solve_backward_problem(const Generator& g, const Spectrum& spectrum, const Sets& sets,
                                    const StepsBetween& forward, const CommittorOptions& options, Reporter& reporter,
                                    CommittorResult& result) {
  if (g.reversible) {
    result.backward = Vector::Ones(g.size()) - result.forward;
    return forward;
  }
  const ReversedChain chain(g, spectrum);
  const Vector inside = between(sets).cwiseProduct(chain.defined());
  const Apply markov = [&](PointsView x) { return chain.apply(x); };
  const StepsBetween steps = steps_of(markov, sets, inside);
  const HittingProblem problem{"backward committor", {steps.weights, steps.into_source}};
  const auto solutions = solve_hitting(markov, chain.slow_functions(), {problem}, options, reporter);
  result.solves.push_back(solutions[0].report);
  result.backward = committor_values(solutions[0].x, inside, sets.source, sets.sees_source, sets.sees_sink);
  const Vector lost = between(sets) - inside;
  if (lost.maxCoeff() > 0.0) {
    result.backward = (lost.array() > 0.0).select(undefined, result.backward);
    result.warnings.push_back(fmt::format(
        "backward committor: NaN at {:.0f} point(s) whose stationary weight is lost in rounding", lost.sum()));
  }
  return steps;
}

void add_flux(const Generator& g, const Spectrum& spectrum, const Sets& sets, const FluxProblem& problem,
              CommittorResult& result) {
  const Vector connected = sets.sees_source.cwiseProduct(sets.sees_sink);
  CommittorResult finite = result;
  for (Vector* q : {&finite.forward, &finite.backward}) {
    *q = q->array().isNaN().select(0.0, *q);
  }
  if (connected.maxCoeff() > 0.0) {
    add_reactive_flux(g, spectrum.stationary.cwiseProduct(connected), problem, finite);
  } else {
    finite.flux = Vector::Zero(g.size());
    finite.warnings.push_back(
        "source and sink: no component of the kernel graph holds points of both, so that nothing "
        "flows; increase epsilon");
  }
  finite.forward = std::move(result.forward);
  finite.backward = std::move(result.backward);
  result = std::move(finite);
}

void add_mean_passages(const Spectrum& spectrum, const std::vector<Index>& source, const std::vector<Index>& sink,
                       CommittorResult& result) {
  const PassageMean there =
      mean_passage({"source", "sink"}, source, spectrum.stationary, result.time_to_sink, 1.0 / result.rate);
  const PassageMean back =
      mean_passage({"sink", "source"}, sink, spectrum.stationary, result.time_to_source, 1.0 / result.reverse_rate);
  result.source_to_sink = there.time;
  result.sink_to_source = back.time;
  result.stuck_in_source = there.stuck;
  result.stuck_in_sink = back.stuck;
  for (const PassageMean* mean : {&there, &back}) {
    result.warnings.insert(result.warnings.end(), mean->warnings.begin(), mean->warnings.end());
  }
}

/// What is to be said of a solution whose residual is above the tolerance.
std::string shortcoming(const SolveReport& solve, double tolerance) {
  return solve.status == SolveStatus::RoundingLimit
             ? fmt::format(
                   "{}: residual {:.1e} where {:.1e} was asked for: rounding leaves as much of a solution this large; "
                   "for a passage time it bounds the relative error",
                   solve.name, solve.residual, tolerance)
             : fmt::format(
                   "{}: not converged after {} products, residual {:.1e} where {:.1e} was asked for: do not trust it; "
                   "more eigenpairs, a larger epsilon or a looser tolerance may help",
                   solve.name, solve.products, solve.residual, tolerance);
}

void warn_of_shortcomings(CommittorResult& result, double tolerance) {
  if (result.undefined_points > 0) {
    result.warnings.push_back(
        fmt::format("committor: NaN at {} point(s) in components of the kernel graph that hold neither source nor sink",
                    result.undefined_points));
  }
  for (const SolveReport& solve : result.solves) {
    if (solve.status != SolveStatus::Converged) {
      result.warnings.push_back(shortcoming(solve, tolerance));
    }
  }
  constexpr double tolerable = 0.01;
  const double difference = std::abs(result.total_flux - result.flux_into_sink);
  if (difference > tolerable * std::max(result.total_flux, result.flux_into_sink)) {
    result.warnings.push_back(fmt::format(
        "flux: {:.4g} between the sets, {:.4g} into the sink: the committor is not accurate enough next to the sink; "
        "lower its tolerance",
        result.total_flux, result.flux_into_sink));
  }
}

}  // namespace

void CommittorOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw InvalidArgument(fmt::format("tolerance: {} is not between 0 and 1; take 1e-8", tolerance));
  }
  if (max_products < 1) {
    throw InvalidArgument(fmt::format("max_products: {} is not positive; take 10000", max_products));
  }
}

bool CommittorResult::converged() const {
  return std::all_of(solves.begin(), solves.end(),
                     [](const SolveReport& solve) { return solve.status == SolveStatus::Converged; });
}

Index CommittorResult::products() const {
  Index sum = 0;
  for (const SolveReport& solve : solves) {
    sum += solve.products;
  }
  return sum;
}

CommittorResult committor(const Map& map, const std::vector<Index>& source, const std::vector<Index>& sink,
                          const CommittorOptions& options) {
  const EigenpairsOptions slowest;
  return committor(map, eigenpairs(map, {.count = std::min(slowest.count, map.size() - 1)}), source, sink, options);
}

CommittorResult committor(const Map& map, const Spectrum& spectrum, const std::vector<Index>& source,
                          const std::vector<Index>& sink, const CommittorOptions& options) {
  const ExecutionScope scope(map.execution());
  options.validate();
  check_belongs(map, spectrum);
  return committor_of(generator_of(map), spectrum, source, sink, options);
}

CommittorResult detail::committor_of(const Generator& generator, const Spectrum& spectrum,
                                     const std::vector<Index>& source, const std::vector<Index>& sink,
                                     const CommittorOptions& options) {
  const Sets sets = make_sets(generator, source, sink, options.sharp_edges);
  const Crew crew;
  Reporter reporter("committor");
  CommittorResult result;
  result.source_points = Index(source.size());
  result.sink_points = Index(sink.size());
  const StepsBetween steps = steps_of(markov_of(generator), sets, between(sets));
  solve_forward_problems(generator, spectrum, sets, steps, options, reporter, result);
  const StepsBetween back = solve_backward_problem(generator, spectrum, sets, steps, options, reporter, result);
  result.undefined_points = Index(result.forward.array().isNaN().count());
  add_flux(generator, spectrum, sets, {source, sink, options.sharp_edges, steps, back}, result);
  if (options.passage_times) {
    add_mean_passages(spectrum, source, sink, result);
  }
  warn_of_shortcomings(result, options.tolerance);
  return result;
}

std::vector<Index> indices_of(const std::vector<bool>& mask) {
  std::vector<Index> indices;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i]) {
      indices.push_back(Index(i));
    }
  }
  return indices;
}

}  // namespace itomap
