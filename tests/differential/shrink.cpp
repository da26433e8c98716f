#include "differential/shrink.hpp"

#include <algorithm>
#include <functional>

#include "differential/checks.hpp"

namespace itomap::differential {
namespace {

using Step = std::function<void(Problem&)>;

bool still_fails(const Problem& problem, const std::string& kind) {
  const Findings findings = check(problem);
  return std::any_of(findings.all().begin(), findings.all().end(), [&](const Finding& f) { return f.kind == kind; });
}

/// Simplifications of everything but the points.
std::vector<Step> simplifications() {
  return {[](Problem& p) { p.with_committor = false; },
          [](Problem& p) { p.with_extension = false; },
          [](Problem& p) { p.with_threads = false; },
          [](Problem& p) { p.with_storage = false; },
          [](Problem& p) { p.map.bandwidth = {}; },
          [](Problem& p) { p.map.drop_isolated = false; },
          [](Problem& p) { p.map.kernel.period.clear(); },
          [](Problem& p) { p.map.kernel.single_precision = false; },
          [](Problem& p) { p.map.kernel.cutoff = 1e-8; },
          [](Problem& p) { p.map.kernel.engine = Engine::Sparse; },
          [](Problem& p) { p.map.eta = 0.0; },
          [](Problem& p) { p.map.density_epsilon = Scale::balanced(); },
          [](Problem& p) { p.map.drift.setZero(); },
          [](Problem& p) { p.eigenpairs.spurious_error = 0.3; },
          [](Problem& p) { p.eigenpairs.seed = 0; },
          [](Problem& p) { p.eigenpairs.count = std::max<Index>(1, p.eigenpairs.count / 2); },
          [](Problem& p) { p.eigenpairs.count = std::max<Index>(1, p.eigenpairs.count - 1); }};
}

/// Without the rows [begin, end).
Problem without(const Problem& problem, Index begin, Index end) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.map.points.rows(); ++i) {
    if (i < begin || i >= end) {
      rows.push_back(i);
    }
  }
  Problem smaller = problem;
  smaller.map = problem.map.subset(rows);
  const Index last = smaller.map.points.rows() - 1;
  smaller.eigenpairs.count = std::clamp<Index>(smaller.eigenpairs.count, 1, last);
  smaller.source_seed = std::min(smaller.source_seed, last);
  smaller.sink_seed = std::min(smaller.sink_seed, last);
  return smaller;
}

bool drop_points(Problem& problem, const std::string& kind) {
  bool any = false;
  for (Index size = problem.map.points.rows() / 2; size > 0; size /= 2) {
    for (Index begin = 0; begin + size <= problem.map.points.rows() && problem.map.points.rows() - size >= 3;) {
      const Problem smaller = without(problem, begin, begin + size);
      if (still_fails(smaller, kind)) {
        problem = smaller;
        any = true;
      } else {
        begin += size;
      }
    }
  }
  return any;
}

bool simplify(Problem& problem, const std::string& kind) {
  bool any = false;
  for (const Step& step : simplifications()) {
    Problem simpler = problem;
    step(simpler);
    if (describe(simpler) != describe(problem) && still_fails(simpler, kind)) {
      problem = simpler;
      any = true;
    }
  }
  return any;
}

}  // namespace

Problem shrunk(const Problem& problem, const Findings& findings) {
  const std::string kind = findings.all()[0].kind;
  Problem small = problem;
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds; ++round) {
    const bool simpler = simplify(small, kind);
    const bool smaller = drop_points(small, kind);
    if (!simpler && !smaller) {
      break;
    }
  }
  return small;
}

}  // namespace itomap::differential
