#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "differential/checks.hpp"
#include "differential/elimination.hpp"

namespace itomap::differential {
namespace {

constexpr const char* stationary_kind = "stationary";
/// Beyond it rounding of P alone moves the weights, and the number itself is rounding noise.
constexpr double largest_sensitivity = 1e10;

/// By how much pi can change, in the sum of absolute values, when pi P misses pi by 1: the largest row sum of
/// (I - P + 1 pi^T)^-1, because pi~ - pi = r^T (I - P + 1 pi^T)^-1 for r = pi~ - pi~ P and sum pi~ = 1.
double sensitivity(const Matrix& p, const Vector& pi) {
  const Index n = p.rows();
  const Matrix shifted = Matrix::Identity(n, n) - p + Vector::Ones(n) * pi.transpose();
  const Matrix inverse = detail::inverted(shifted);
  const double failure = (shifted * inverse - Matrix::Identity(n, n)).cwiseAbs().maxCoeff();
  return failure < 1e-3 ? inverse.cwiseAbs().rowwise().sum().maxCoeff() : std::numeric_limits<double>::infinity();
}

double missed_by(const Vector& pi, const Matrix& p) { return (pi - p.transpose() * pi).lpNorm<1>(); }

/// What elimination solves, which never looks at the diagonal: there it has whatever rows lack that a grid computed.
Matrix with_unit_rows(Matrix p) {
  p.diagonal() += Vector::Ones(p.rows()) - p.rowwise().sum();
  return p;
}

std::size_t points_of_the_process(const Solved& s) {
  std::size_t count = 0;
  for (const auto& points : s.dense.members) {
    count += points.size();
  }
  return count;
}

void check_reversible(const Solved& s, Findings& findings) {
  const Vector root = stationary_root(s.map);
  const double off = (s.spectrum.stationary - root.cwiseAbs2()).lpNorm<1>();
  findings.expect_at_most(stationary_kind, "phi_0 against d K d", off, 1e-12);
}

void check_component(const Solved& s, std::size_t c, Findings& findings) {
  const auto& points = s.dense.members[c];
  const Vector own = s.spectrum.stationary(points);
  const double share = double(points.size()) / double(points_of_the_process(s));
  findings.expect_at_most(stationary_kind, fmt::format("weight of component {}, off its share of points", c),
                          std::abs(own.sum() - share), 1e-10);
  const Matrix p = s.dense.matrix(points, points).cwiseMax(0.0);
  const auto classes = closed_classes(p);
  if (classes.size() != 1) {
    findings.skipped(stationary_kind);
    return;
  }
  const Vector expected = stationary_weights(p, classes[0]);
  const Vector computed = own / own.sum();
  const Matrix eliminated = with_unit_rows(p);
  const double moved = missed_by(computed, eliminated);
  const double factor = sensitivity(eliminated, expected);
  if (factor < largest_sensitivity) {
    const double bound = factor * (1.05 * moved + s.dense.rounding);
    findings.expect_at_most(stationary_kind, fmt::format("phi_0 on component {}, {:.2g} from invariant", c, moved),
                            (computed - expected).lpNorm<1>(), bound + 1e-12);
  } else {
    findings.skipped(stationary_kind);
  }
  const double residual = std::max(s.problem.eigenpairs.tolerance, s.spectrum.left_residuals[0]);
  const double tolerance = residual * std::sqrt(double(points.size())) / own.sum() + s.slack() + s.dense.negative;
  findings.expect_at_most(stationary_kind, fmt::format("phi_0 P - phi_0 on component {}", c), missed_by(computed, p),
                          2.0 * tolerance);
}

}  // namespace

void check_stationary(const Solved& s, Findings& findings) {
  const Vector& phi = s.spectrum.stationary;
  if (!(phi.minCoeff() >= 0.0)) {
    findings.add(stationary_kind, "phi_0 is {:.3g} somewhere", phi.minCoeff());
  }
  findings.expect_at_most(stationary_kind, "sum of phi_0, off 1", std::abs(phi.sum() - 1.0), 1e-12);
  if (s.map.reversible()) {
    check_reversible(s, findings);
    return;
  }
  for (std::size_t c = 0; c < s.dense.members.size(); ++c) {
    check_component(s, c, findings);
  }
}

}  // namespace itomap::differential
