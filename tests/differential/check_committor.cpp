#include "itomap/analysis/committor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "differential/checks.hpp"
#include "differential/elimination.hpp"

namespace itomap::differential {
namespace {

constexpr const char* committor_kind = "committor";
constexpr double unit = std::numeric_limits<double>::epsilon();

struct Sets {
  std::vector<Index> source;
  std::vector<Index> sink;
};

/// The points next to one of them, as positions in the map, that are not taken.
std::vector<Index> neighbourhood(const Solved& s, Index seed, Index count, std::vector<bool>& taken) {
  const auto all = s.problem.map.points.view();
  const Points points = all(s.map.kept(), Eigen::all);
  const Vector distance = (points.rowwise() - all.row(seed)).rowwise().norm();
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return distance[a] < distance[b]; });
  std::vector<Index> set;
  for (const Index i : order) {
    if (Index(set.size()) < count && !taken[std::size_t(i)]) {
      taken[std::size_t(i)] = true;
      set.push_back(i);
    }
  }
  return set;
}

Sets sets_of(const Solved& s) {
  const auto count = std::max<Index>(1, Index(s.problem.set_share * double(s.map.size())));
  std::vector<bool> taken(std::size_t(s.map.size()), false);
  Sets sets;
  sets.source = neighbourhood(s, s.problem.source_seed, count, taken);
  sets.sink = neighbourhood(s, s.problem.sink_seed, count, taken);
  return sets;
}

/// The chain that elimination works on: no entries between components, none below 0, and how far that is from P.
struct Chain {
  Matrix p;
  bool exact = true;     // entries below the cut-off are zero
  double changed = 0.0;  // largest sum of absolute differences in a row
};

Chain chain_of(const Solved& s) {
  const Matrix all = s.map.markov(Block::Identity(s.map.size(), s.map.size()));
  Chain chain{all.cwiseMax(0.0), s.map.plan().engine != Engine::Grid};
  for (Index j = 0; j < all.cols(); ++j) {
    for (Index i = 0; i < all.rows(); ++i) {
      if (s.map.component()[std::size_t(i)] != s.map.component()[std::size_t(j)]) {
        chain.p(i, j) = 0.0;
      }
    }
  }
  chain.changed = (all - chain.p).cwiseAbs().rowwise().sum().maxCoeff();
  return chain;
}

std::vector<bool> sees(const Solved& s, const std::vector<Index>& set) {
  std::vector<bool> component(std::size_t(s.map.diagnostics().components), false);
  for (const Index i : set) {
    component[std::size_t(s.map.component()[std::size_t(i)])] = true;
  }
  std::vector<bool> result;
  for (const Index c : s.map.component()) {
    result.push_back(component[std::size_t(c)]);
  }
  return result;
}

Vector indicator(const std::vector<Index>& set, Index size) {
  Vector result = Vector::Zero(size);
  result(set).setOnes();
  return result;
}

/// x = P x + b inside. An error r of that equation makes one of at most r times the mean number of steps inside.
struct System {
  std::vector<Index> inside;
  Vector b;
};

const SolveReport& report_of(const CommittorResult& result, const char* name) {
  return *std::find_if(result.solves.begin(), result.solves.end(),
                       [&](const SolveReport& r) { return r.name == name; });
}

void compare(const Chain& chain, const System& system, const char* name, const Vector& computed,
             const CommittorResult& result, Findings& findings) {
  if (system.inside.empty()) {
    return;
  }
  const SolveReport& report = report_of(result, name);
  const Vector expected = hitting_solution(chain.p, system.inside, system.b);
  const Vector steps = hitting_solution(chain.p, system.inside, Vector::Ones(system.b.size()));
  const double longest = steps.maxCoeff();
  const double size = 1.0 + expected.unaryExpr([](double x) { return std::isfinite(x) ? x : 0.0; }).maxCoeff();
  const double rounding = (chain.changed + 8.0 * unit * std::sqrt(double(steps.size()))) * size;
  const double scale = system.b(system.inside).maxCoeff();
  const bool converged = report.status != SolveStatus::NotConverged;
  if (!converged) {
    // Rounding alone leaves this much of the residual, and entries below the accuracy of a grid make probabilities
    // negative by as much in every step.
    if (longest * 100.0 * unit < 1e-8 && longest * chain.changed < 1e-6) {
      findings.add("convergence", "{}: {:.2g} after {} products, {:.2g} steps inside", name, report.residual,
                   report.products, longest);
    }
    findings.skipped(committor_kind);
    return;
  }
  const double bound = longest * (std::max(report.residual, 1e-9) * scale * 1.01 + rounding);
  double worst = 0.0;
  Index where = 0;
  for (const Index i : system.inside) {
    if (std::isfinite(expected[i]) != std::isfinite(computed[i])) {
      // Below the cut-off of a grid, or after more steps than a number has digits: who knows.
      if (!chain.exact || std::isnan(expected[i]) || std::abs(computed[i]) > 1e12 * scale) {
        findings.skipped(committor_kind);
        return;
      }
      findings.add(committor_kind, "{} at point {} is {:.6g}, {:.6g} expected", name, i, computed[i], expected[i]);
      return;
    }
    if (std::isfinite(expected[i]) && std::abs(computed[i] - expected[i]) > worst) {
      worst = std::abs(computed[i] - expected[i]);
      where = i;
    }
  }
  if (!std::isfinite(bound)) {
    findings.skipped(committor_kind);
    return;
  }
  findings.expect_at_most(
      committor_kind, fmt::format("{} at point {} ({:.6g} expected), off", name, where, expected[where]), worst, bound);
}

std::vector<Index> points_where(const std::vector<bool>& a, const std::vector<bool>& b, const Vector& outside) {
  std::vector<Index> points;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i] && outside[Index(i)] == 0.0) {
      points.push_back(Index(i));
    }
  }
  return points;
}

void check_range(const Solved& s, const CommittorResult& result, const std::vector<bool>& sees_source,
                 const std::vector<bool>& sees_sink, Findings& findings) {
  for (Index i = 0; i < s.map.size(); ++i) {
    const bool a = sees_source[std::size_t(i)];
    const bool b = sees_sink[std::size_t(i)];
    const double q = result.forward[i];
    const bool right = a && b ? q >= 0.0 && q <= 1.0 : a ? q == 0.0 : b ? q == 1.0 : std::isnan(q);
    if (!right) {
      findings.add(committor_kind, "q+ at point {} is {:.6g}, source {}in sight, sink {}", i, q, a ? "" : "not ",
                   b ? "in sight" : "not");
      return;
    }
  }
}

}  // namespace

void check_committor(const Solved& s, Findings& findings) {
  const Sets sets = sets_of(s);
  if (sets.source.empty() || sets.sink.empty()) {
    return;
  }
  const CommittorResult result = committor(s.map, s.spectrum, sets.source, sets.sink, {.sharp_edges = false});
  const Chain chain = chain_of(s);
  const auto sees_source = sees(s, sets.source);
  const auto sees_sink = sees(s, sets.sink);
  const Vector source = indicator(sets.source, s.map.size());
  const Vector sink = indicator(sets.sink, s.map.size());
  check_range(s, result, sees_source, sees_sink, findings);
  const auto between = points_where(sees_source, sees_sink, source + sink);
  compare(chain, {between, chain.p * sink}, "forward committor", result.forward, result, findings);
  const Vector step = Vector::Constant(s.map.size(), s.map.time_step());
  compare(chain, {points_where(sees_sink, sees_sink, sink), step}, "time to sink", result.time_to_sink, result,
          findings);
  compare(chain, {points_where(sees_source, sees_source, source), step}, "time to source", result.time_to_source,
          result, findings);
}

}  // namespace itomap::differential
