#include <cmath>
#include <map>

#include "differential/checks.hpp"
#include "differential/tolerances.hpp"

namespace itomap::differential {
namespace {

using reference::WholeMap;

/// Whether two points that share a label in one list share it in the other.
bool same_partition(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::map<Index, Index> there;
  std::map<Index, Index> back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (there.try_emplace(a[i], b[i]).first->second != b[i] || back.try_emplace(b[i], a[i]).first->second != a[i]) {
      return false;
    }
  }
  return a.size() == b.size();
}

void check_graph(const Map& map, const WholeMap& whole, Findings& findings) {
  const Diagnostics& d = map.diagnostics();
  auto component = whole.graph.component;
  Index components = whole.graph.components;
  auto isolated = Index(whole.graph.isolated.size());
  const auto stranded = Index(whole.graph.stranded.size());
  for (Index i = 0; i < whole.pace.size(); ++i) {
    if (whole.pace[i] == 0.0) {  // sees nothing but traps
      component[std::size_t(i)] = components++;
      ++isolated;
    }
  }
  if (d.components != components || !same_partition(map.component(), component)) {
    findings.add("graph", "{} components, {} expected", d.components, components);
  }
  if (d.isolated_points != isolated || d.stranded_points != stranded) {
    findings.add("graph", "{} isolated and {} stranded points, {} and {} expected", d.isolated_points,
                 d.stranded_points, isolated, stranded);
  }
  findings.passed("graph");
}

/// Largest share of its bound that an entry takes.
void check_markov(const Map& map, const WholeMap& whole, const Matrix& bound, Findings& findings) {
  const Matrix p = map.markov(Block::Identity(map.size(), map.size()));
  const Matrix share = (p - whole.markov).cwiseAbs().cwiseQuotient(bound);
  Index i = 0;
  Index j = 0;
  const double worst = share.maxCoeff(&i, &j);
  if (!p.allFinite() || !(worst <= 1.0)) {
    findings.add("markov", "P({},{}) = {:.6g}, {:.6g} expected, off {:.2g}, within {:.2g}", i, j, p(i, j),
                 whole.markov(i, j), p(i, j) - whole.markov(i, j), bound(i, j));
  }
  findings.passed("markov");
  const Matrix transposed = map.markov_transpose(Block::Identity(map.size(), map.size()));
  const Matrix apart = (transposed.transpose() - p).cwiseAbs().cwiseQuotient(bound);
  if (!(apart.maxCoeff(&i, &j) <= 2.0)) {
    findings.add("markov", "P^T({},{}) = {:.6g}, P has {:.6g}, bound {:.2g}", j, i, transposed(j, i), p(i, j),
                 bound(i, j));
  }
}

void check_density(const Map& map, const WholeMap& whole, const Vector& bound, Findings& findings) {
  for (Index i = 0; i < map.size(); ++i) {
    const double off = std::abs(std::log(map.density()[i]) - whole.log_density[i]);
    findings.expect_at_most("density", fmt::format("log q_{} = {:.6g}, off", i, whole.log_density[i]), off,
                            1.05 * bound[i] + 1e-13);
  }
}

}  // namespace

void check_map(const Problem& problem, const Map& map, Findings& findings) {
  const WholeMap whole = reference_of(problem, map);
  if (whole.kept.size() == map.kept().size()) {
    const Tolerances tolerances(problem, map, whole);
    if (tolerances.tie()) {
      findings.skipped("graph");
    } else {
      check_graph(map, whole, findings);
    }
    if (whole.kept != map.kept()) {
      findings.add("graph", "other points were dropped than expected");
      return;
    }
    check_density(map, whole, tolerances.density(), findings);
    check_markov(map, whole, tolerances.markov(), findings);
  } else if (whole.graph.closest_call > 1e-6) {
    findings.add("graph", "{} points were kept, {} expected", map.kept().size(), whole.kept.size());
  } else {
    findings.skipped("graph");
  }
}

}  // namespace itomap::differential
