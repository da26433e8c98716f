#include <exception>
#include <string_view>

#include "core/context.hpp"
#include "differential/checks.hpp"
#include "itomap/core/error.hpp"
#include "support/reference_kernel.hpp"

namespace itomap::differential {
namespace {

/// What a problem may be refused for, and when.
bool may_refuse(const Problem& p, std::string_view why) {
  const bool grid = p.map.kernel.engine == Engine::Grid;
  const bool varies = !p.map.bandwidth.fixed();
  return (grid && (why.starts_with("engine: grid") || why.starts_with("memory:"))) ||
         (varies && why.starts_with("bandwidth:")) ||
         (p.map.drop_isolated && (why.starts_with("epsilon: no point has a neighbour") ||
                                  why.find("eigenpairs beyond the first") != why.npos)) ||
         (!p.map.kernel.period.empty() && why.starts_with("period:")) ||
         (!p.map.epsilon.is_value() &&
          (why.starts_with("epsilon:") || why.starts_with("points:") || why.starts_with("drift: the Euler step")));
}

/// A check that needs the whole map pair by pair.
template <class Check>
void beside_reference(const char* kind, Findings& findings, const Check& check) {
  try {
    check();
  } catch (const reference::TooManyImages&) {
    findings.skipped(kind);
  }
}

void check_all(const Problem& problem, Findings& findings) {
  const detail::ExecutionScope scope(problem.execution);
  const Map map = make_map(problem.map, problem.execution);
  beside_reference("markov", findings, [&] { check_map(problem, map, findings); });
  const Spectrum spectrum = eigenpairs(map, problem.eigenpairs);
  const DenseModes dense = dense_modes(map);
  const Solved solved{problem, map, spectrum, dense};
  check_vectors(solved, findings);
  if (!spectrum.eigenfunctions.re.allFinite() || !spectrum.left_eigenfunctions.re.allFinite()) {
    return;
  }
  check_eigenvalues(solved, findings);
  check_stationary(solved, findings);
  if (problem.with_committor) {
    check_committor(solved, findings);
  }
  if (problem.with_extension) {
    beside_reference("extension", findings, [&] { check_extension(solved, findings); });
  }
  if (problem.with_threads) {
    check_threads(solved, findings);
  }
  if (problem.with_storage) {
    check_storage(solved, findings);
  }
}

}  // namespace

Findings check(const Problem& problem) {
  Findings findings;
  try {
    check_all(problem, findings);
  } catch (const InvalidArgument& error) {
    if (may_refuse(problem, error.what())) {
      findings.refuse(error.what());
    } else {
      findings.add("refused", "{}", error.what());
    }
  } catch (const std::exception& error) {
    findings.add("thrown", "{}", error.what());
  }
  return findings;
}

}  // namespace itomap::differential
