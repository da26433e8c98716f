#include <algorithm>
#include <cmath>
#include <limits>

#include "differential/checks.hpp"

namespace itomap::differential {
namespace {

using Columns = Eigen::MatrixXcd;

Columns joined(const Eigenfunctions& functions) {
  Columns columns = functions.re.cast<std::complex<double>>();
  if (!functions.is_real()) {
    columns.imag() = functions.im;
  }
  return columns;
}

/// |A x - mu x| / |x|, column by column. Squares of entries may overflow or underflow where they do not.
Vector residuals(const Matrix& a, Columns x, const Eigen::VectorXcd& mu) {
  for (Index n = 0; n < x.cols(); ++n) {
    x.col(n) /= x.col(n).cwiseAbs().maxCoeff();
  }
  const Columns defect = a * x - x * mu.asDiagonal();
  return defect.colwise().norm().cwiseQuotient(x.colwise().norm()).transpose();
}

/// Points so light that they do not count: the library computes psi there from its neighbours.
bool in_tail(const Solved& s, Index i) {
  constexpr double negligible = 1e-8;
  return s.spectrum.stationary[i] * double(s.map.size()) < negligible;
}

/// Whether the library said that the mode is uncertain at such points.
bool uncertain_in_tail(const Solved& s, Index n) {
  const std::string inner = fmt::format(" {},", n);
  const std::string last = fmt::format(" {} at ", n);
  return std::any_of(s.spectrum.warnings.begin(), s.spectrum.warnings.end(), [&](const std::string& w) {
    return w.starts_with("eigenfunction(s) ") && w.find("are uncertain") != std::string::npos &&
           (w.find(inner) != std::string::npos || w.find(last) != std::string::npos);
  });
}

/// What the n-th function at negligible points may add to a residual: there it is right to 1e-7 of its range, or only
/// within it where the library says so.
double tail_share(const Solved& s, Index n) {
  if (!s.map.reversible()) {
    return 0.0;
  }
  double weight = 0.0;
  double range = 0.0;
  for (Index i = 0; i < s.map.size(); ++i) {
    const bool light = in_tail(s, i);
    weight += light ? s.spectrum.stationary[i] : 0.0;
    range = light ? range : std::max(range, std::abs(s.spectrum.eigenfunctions.re(i, n)));
  }
  return (uncertain_in_tail(s, n) ? 2.0 : 2e-7) * range * std::sqrt(weight);
}

/// psi = P psi / mu at negligible points, up to the tolerance of 1e-7 of its range that it is computed to there and the
/// five digits of row sums that engines without rows have; where the mode lives on such points, to the three digits
/// that y has there at least.
void check_tails(const Solved& s, Findings& findings) {
  const double tolerance = s.generator().kernel->accuracy() > 0.0 ? 5e-5 : 1e-6;
  std::vector<Index> tail;
  for (Index i = 0; i < s.map.size(); ++i) {
    if (in_tail(s, i)) {
      tail.push_back(i);
    }
  }
  if (!s.map.reversible() || tail.empty()) {
    return;
  }
  const Block image = s.generator().markov_rows(tail, s.spectrum.eigenfunctions.re);
  const Eigen::VectorXcd mu = s.mu();
  for (Index n = 0; n < mu.size(); ++n) {
    if (uncertain_in_tail(s, n)) {
      findings.skipped("tails");
      continue;
    }
    const Vector psi = s.spectrum.eigenfunctions.col(n);
    double worst = 0.0;
    for (std::size_t k = 0; k < tail.size(); ++k) {
      const double bound = tolerance * psi.cwiseAbs().maxCoeff() + 2e-3 * std::abs(psi[tail[k]]);
      worst = std::max(worst, std::abs(image(Index(k), n) - mu[n].real() * psi[tail[k]]) / bound);
    }
    findings.expect_at_most("tails",
                            fmt::format("P psi_{} - {:.3g} psi_{} where phi_0 is next to nothing", n, mu[n].real(), n),
                            worst, 1.0);
  }
}

void check_finite(const Solved& s, Findings& findings) {
  const Spectrum& spectrum = s.spectrum;
  const auto expect = [&](const char* what, bool finite) {
    if (!finite) {
      findings.add("finite", "{} is not finite", what);
    }
  };
  expect("an eigenvalue", spectrum.eigenvalues.allFinite());
  expect("psi", spectrum.eigenfunctions.re.allFinite() && spectrum.eigenfunctions.im.allFinite());
  expect("phi", spectrum.left_eigenfunctions.re.allFinite() && spectrum.left_eigenfunctions.im.allFinite());
  expect("phi_0", spectrum.stationary.allFinite());
  expect("a residual", spectrum.residuals.allFinite() && spectrum.left_residuals.allFinite());
  expect("the effective number of points", spectrum.effective_points.allFinite());
  findings.passed("finite");
}

void check_residuals(const Solved& s, const char* side, const Vector& recomputed, const Vector& reported,
                     Findings& findings) {
  const double tolerance = s.problem.eigenpairs.tolerance;
  for (Index n = 0; n < recomputed.size(); ++n) {
    // Zero modes are known beforehand and not measured: a grid's products have errors of their own.
    const bool known = reported[n] == 0.0 && s.generator().kernel->accuracy() > 0.0;
    const double slack = s.slack() + tail_share(s, n) + (known ? s.problem.map.kernel.cutoff : 0.0);
    const std::string what = fmt::format("{} residual of mode {}, reported {:.3g}", side, n, reported[n]);
    findings.expect_at_most("residuals", what, recomputed[n], 1.25 * reported[n] + slack);
    const bool converged = s.spectrum.status[std::size_t(n)] == PairStatus::Converged;
    if (converged && !(reported[n] <= tolerance)) {
      findings.add("residuals", "mode {} is converged with a {} residual of {:.3g}", n, side, reported[n]);
    }
  }
}

/// The worst of all that may be the eigenvalue. Of a defective one, some copies have the condition that chance gives
/// them; of matrices far from normal, as drift that blows all one way has them, all that come near.
double condition_near(const DenseModes& dense, std::complex<double> mu) {
  double closest = std::numeric_limits<double>::infinity();
  for (const DenseMode& mode : dense.modes) {
    closest = std::min(closest, std::abs(mode.mu - mu));
  }
  constexpr double near = 0.05;
  double condition = closest > near ? std::numeric_limits<double>::infinity() : 1.0;
  for (const DenseMode& mode : dense.modes) {
    const bool hopeless = mode.condition * dense.rounding > 1.0 && std::abs(mode.mu) > near;
    const bool copy = hopeless || std::abs(mode.mu - mu) <= closest + near;
    condition = copy ? std::max(condition, mode.condition) : condition;
  }
  return condition;
}

/// Pairs that did not converge although conditions are good: rounding alone cannot be the reason.
void check_status(const Solved& s, Findings& findings) {
  const double attainable = 10.0 * s.dense.rounding;
  // Every entry of a grid's product is right to the cut-off, and not the same for other vectors beside them.
  const double entry = s.generator().kernel->accuracy() > 0.0 ? s.problem.map.kernel.cutoff : 0.0;
  const double noise = entry * std::sqrt(double(s.map.size()));
  for (std::size_t n = 0; n < s.spectrum.status.size(); ++n) {
    if (s.spectrum.status[n] == PairStatus::Converged) {
      continue;
    }
    const double worst = std::max(s.spectrum.residuals[Index(n)], s.spectrum.left_residuals[Index(n)]);
    const std::complex<double> mu = s.mu()[Index(n)];
    const double condition = condition_near(s.dense, mu);
    if (condition * attainable < s.problem.eigenpairs.tolerance &&
        worst > condition * (s.slack() + s.dense.negative + noise)) {
      findings.add(
          "convergence", "mode {} (mu = {:.9g}{:+.9g}i, condition {:.2g}) did not converge: {:.2g}, left {:.2g}", n,
          mu.real(), mu.imag(), condition, s.spectrum.residuals[Index(n)], s.spectrum.left_residuals[Index(n)]);
    } else {
      findings.skipped("convergence");
    }
  }
  findings.passed("convergence");
}

/// (mu_n - mu_m) phi_m^T psi_n is what the residuals of both leave of it.
void check_biorthonormal(const Solved& s, Findings& findings) {
  Columns psi = s.psi();
  Columns phi = s.phi();
  if (s.map.reversible()) {  // sqrt(phi_0) psi on both sides: phi_0 may underflow
    psi = stationary_root(s.map).asDiagonal() * psi;
    phi = psi;
  }
  const Eigen::VectorXcd mu = s.mu();
  const Vector right = s.right_residuals();
  const Vector left = s.left_residuals();
  const Columns product = phi.transpose() * psi;
  Vector tails(mu.size());
  for (Index n = 0; n < mu.size(); ++n) {
    tails[n] = tail_share(s, n);
  }
  for (Index m = 0; m < mu.size(); ++m) {
    for (Index n = 0; n < mu.size(); ++n) {
      if (std::max(std::abs(mu[m]), std::abs(mu[n])) < s.dense.rounding) {  // beyond the rank of P
        findings.skipped("biorthonormal");
        continue;
      }
      const double tail = tails[m] + tails[n];
      const double sizes = phi.col(m).stableNorm() * psi.col(n).stableNorm();
      const double rounding = sizes * 1e-13 * std::sqrt(double(s.map.size()));
      if (m == n) {
        findings.expect_at_most("biorthonormal", fmt::format("phi_{}^T psi_{} - 1", m, n),
                                std::abs(product(m, n) - 1.0), tail + rounding + 1e-7);
        continue;
      }
      const double gap = std::abs(mu[n] - mu[m]);
      // Values that agree to all the digits they have are made orthogonal among themselves.
      const double open = 1.01 * (left[m] + right[n] + 2.0 * s.slack());
      const auto converged = [&](Index k) { return s.spectrum.status[std::size_t(k)] == PairStatus::Converged; };
      // As reported they may be anything; so may those that only the accuracy of a grid makes one.
      const bool alike = gap <= 100.0 * s.problem.eigenpairs.tolerance;
      if (gap <= open && !(converged(m) && converged(n) && alike)) {
        findings.skipped("biorthonormal");
        continue;
      }
      const double bound = gap > open ? sizes * open / gap : 1e-6;
      findings.expect_at_most("biorthonormal", fmt::format("phi_{}^T psi_{}, mu apart by {:.3g}", m, n, gap),
                              std::abs(product(m, n)), bound + tail + rounding + 1e-7);
    }
  }
}

void check_normalised(const Solved& s, Findings& findings) {
  const Columns psi = s.psi();
  const Vector root = s.map.reversible() ? stationary_root(s.map) : Vector(s.spectrum.stationary.cwiseSqrt());
  for (Index n = 0; n < psi.cols(); ++n) {
    const double tail = tail_share(s, n);
    const double square = (root.asDiagonal() * psi.col(n)).squaredNorm();
    // A mode on points that the process never returns to has no weight at all.
    if (s.map.reversible() || square > 1e-200) {
      findings.expect_at_most("normalised", fmt::format("<psi_{}, psi_{}> = {:.9g}, off 1", n, n, square),
                              std::abs(square - 1.0), 1e-6 + tail * (2.0 + tail));
    }
    Index largest = 0;
    const double size = psi.col(n).cwiseAbs().maxCoeff(&largest);
    const bool positive = ((psi.col(n).array().abs() > (1.0 - 2e-6) * size) && (psi.col(n).array().real() > 0.0) &&
                           (psi.col(n).array().imag().abs() <= 1e-9 * size))
                              .any();
    if (!positive) {
      findings.add("normalised", "no largest entry of psi_{} is positive", n);
    }
  }
  const double constant = (psi.col(0).array() - 1.0).abs().maxCoeff();
  findings.expect_at_most("normalised", "psi_0 - 1", constant, 1e-9);
}

double carrying_points(const Solved& s, const Columns& psi, const Columns& phi, Index n) {
  const Vector left = phi.col(n).cwiseAbs();
  const double both = effective_points(left.cwiseProduct(psi.col(n).cwiseAbs()));
  return s.map.reversible() ? both : std::min(both, effective_points(left));
}

/// The flag follows from the vectors that are returned, but in components of a handful of points: there all are
/// flagged.
void check_flags(const Solved& s, Findings& findings) {
  constexpr double margin = 0.01;
  const double limit = 1.0 / std::pow(s.problem.eigenpairs.spurious_error, 2);
  const bool small_components = std::any_of(s.dense.members.begin(), s.dense.members.end(),
                                            [&](const auto& points) { return double(points.size()) < limit; });
  const Columns psi = s.psi();
  const Columns phi = s.phi();
  for (Index n = 1; n < psi.cols(); ++n) {
    const double effective = carrying_points(s, psi, phi, n);
    const bool flagged = s.spectrum.is_spurious(n);
    const bool of_small_component = small_components && s.spectrum.eigenvalues[n] == 0.0;
    const bool too_many = effective > (1.0 + margin) * limit && !of_small_component;
    if (flagged ? too_many : effective < (1.0 - margin) * limit) {
      findings.add("flags", "mode {} lives on {:.4g} effective points, {:.4g} are the limit, and is {}flagged", n,
                   effective, limit, flagged ? "" : "not ");
    }
    findings.expect_at_most("flags", fmt::format("effective points of mode {}, off {:.4g}", n, effective),
                            std::abs(s.spectrum.effective_points[n] - effective), margin * effective);
  }
}

/// Re log(mu) / epsilon; with a variable bandwidth kappa in lambda = mean of (exp(kappa t_i) - 1) / t_i.
void check_log_rate(const Solved& s, const Vector& weights, Index n, Findings& findings) {
  const std::complex<double> lambda = s.spectrum.eigenvalues[n];
  const double rate = s.spectrum.rates_log[n];
  if (s.map.bandwidth().size() == 0) {
    const double step = s.map.time_step();
    const double modulus = std::abs(1.0 + step * lambda);
    // 1 + epsilon lambda has lost the digits of 1.
    const double tolerance = 4.0 * std::numeric_limits<double>::epsilon() / modulus / step;
    if (modulus > 1e-12) {
      findings.expect_at_most("rates", fmt::format("rate_log {}", n), std::abs(rate - std::log(modulus) / step),
                              tolerance + 1e-12 * std::abs(rate));
    }
  } else if (lambda.imag() == 0.0 && std::isfinite(rate)) {
    const Vector times = s.map.epsilon() * s.map.bandwidth().cwiseAbs2();
    double mean = 0.0;
    for (Index i = 0; i < times.size(); ++i) {
      mean += weights[i] * std::expm1(rate * times[i]) / times[i];
    }
    findings.expect_at_most("rates", fmt::format("rate_log {}: lambda from it, off {:.6g}", n, lambda.real()),
                            std::abs(mean / weights.sum() - lambda.real()), 1e-6 * std::abs(lambda));
  }
}

void check_rates(const Solved& s, Findings& findings) {
  const Columns psi = s.psi();
  const Columns phi = s.phi();
  for (Index n = 1; n < psi.cols(); ++n) {
    check_log_rate(s, phi.col(n).cwiseAbs().cwiseProduct(psi.col(n).cwiseAbs()), n, findings);
    const double lambda = s.spectrum.eigenvalues[n].real();
    if (lambda < 0.0) {
      findings.expect_at_most("rates", fmt::format("time scale {}", n),
                              std::abs(s.spectrum.timescales[n] * lambda + 1.0), 1e-12);
    }
  }
}

}  // namespace

Columns Solved::psi() const { return joined(spectrum.eigenfunctions); }
Columns Solved::phi() const { return joined(spectrum.left_eigenfunctions); }

Vector Solved::right_residuals() const {
  if (!map.reversible()) {
    return residuals(dense.matrix, psi(), mu());
  }
  const Columns y = stationary_root(map).asDiagonal() * psi();
  return residuals(dense.matrix, y, mu());
}

Vector Solved::left_residuals() const {
  return map.reversible() ? right_residuals() : residuals(dense.matrix.transpose(), phi(), mu());
}

void check_vectors(const Solved& s, Findings& findings) {
  check_finite(s, findings);
  if (!findings.none()) {
    return;
  }
  check_residuals(s, "right", s.right_residuals(), s.spectrum.residuals, findings);
  check_residuals(s, "left", s.left_residuals(), s.spectrum.left_residuals, findings);
  check_status(s, findings);
  check_biorthonormal(s, findings);
  check_normalised(s, findings);
  check_flags(s, findings);
  check_rates(s, findings);
  check_tails(s, findings);
}

}  // namespace itomap::differential
