#include <algorithm>
#include <cmath>
#include <limits>

#include "differential/expected_modes.hpp"

namespace itomap::differential {
namespace {

constexpr const char* eigenvalues_kind = "eigenvalues";

/// A bundle of eigenvalues that tolerances cannot tell apart.
struct Bundle {
  Index expected = 0;
  Index may_be_spurious = 0;
  Index returned = 0;
  double low = std::numeric_limits<double>::infinity();  // real parts of its discs
  double high = -std::numeric_limits<double>::infinity();
};

std::vector<Bundle> bundles_of(const ExpectedModes& expected) {
  std::vector<Bundle> bundles(std::size_t(expected.bundles));
  for (const ExpectedMode& mode : expected.modes) {
    Bundle& bundle = bundles[std::size_t(mode.bundle)];
    ++bundle.expected;
    bundle.may_be_spurious += mode.flag == Flag::True ? 0 : 1;
    bundle.low = std::min(bundle.low, mode.mu.real() - mode.radius);
    bundle.high = std::max(bundle.high, mode.mu.real() + mode.radius);
  }
  return bundles;
}

/// Bundle of the mode whose disc holds the value, or comes closest to it.
const ExpectedMode& nearest(const ExpectedModes& expected, std::complex<double> mu) {
  return *std::min_element(expected.modes.begin(), expected.modes.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.mu - mu) - a.radius < std::abs(b.mu - mu) - b.radius;
  });
}

Index true_modes(const Spectrum& spectrum) { return spectrum.eigenvalues.size() - Index(spectrum.spurious.size()); }

void count_returned(const Solved& s, const ExpectedModes& expected, std::vector<Bundle>& bundles, Findings& findings) {
  const Eigen::VectorXcd mu = s.mu();
  // lambda carries mu - 1 with the digits of mu.
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  for (Index n = 0; n < mu.size(); ++n) {
    const ExpectedMode& match = nearest(expected, mu[n]);
    const double apart = std::abs(match.mu - mu[n]);
    if (!(apart <= match.radius + rounding)) {
      findings.add(eigenvalues_kind,
                   "mode {} has mu = {:.12g}{:+.12g}i, the nearest eigenvalue is {:.3g} away, tolerance {:.3g}", n,
                   mu[n].real(), mu[n].imag(), apart, match.radius);
    }
    ++bundles[std::size_t(match.bundle)].returned;
  }
}

/// P is a Markov matrix: none of its eigenvalues is larger than 1, but for what engines make of entries below the
/// cut-off.
double allowed_excess(const Solved& s) {
  const bool exact = s.map.plan().engine != Engine::Grid;
  return exact ? 1e-11 : double(s.map.size()) * s.problem.map.kernel.cutoff;
}

/// The real part above which every mode must be listed. A zero mode is listed as 1 where a grid's products have more.
double complete_above(const Solved& s, const ExpectedModes& expected) {
  const Eigen::VectorXcd mu = s.mu();
  const double last = mu.real().minCoeff();
  return last + std::max(nearest(expected, mu[mu.size() - 1]).radius, s.problem.eigenpairs.tolerance) +
         (last == 1.0 ? allowed_excess(s) : 0.0);
}

void check_none_missing(const Solved& s, const ExpectedModes& expected, const std::vector<Bundle>& bundles,
                        Findings& findings) {
  const bool capped = Index(s.spectrum.spurious.size()) >= expected.cap;
  const double above = complete_above(s, expected);
  for (const Bundle& bundle : bundles) {
    const Index missing = bundle.expected - bundle.returned;
    const bool must_be_there = bundle.low > above;
    const Index may_be_left_out = capped ? bundle.may_be_spurious : 0;
    if (missing < 0) {
      findings.add(eigenvalues_kind, "{} of {} eigenvalues near mu = {:.9g}..{:.9g} returned", bundle.returned,
                   bundle.expected, bundle.low, bundle.high);
    } else if (must_be_there && missing > may_be_left_out) {
      findings.add(eigenvalues_kind,
                   "{} of {} eigenvalues near mu = {:.9g}..{:.9g} missing, {} true, last returned mu = {:.9g}", missing,
                   bundle.expected, bundle.low, bundle.high, bundle.expected - bundle.may_be_spurious,
                   s.mu().real().minCoeff());
    }
  }
  findings.passed(eigenvalues_kind);
}

/// Modes that are surely true among the first of the large components, as many as the search goes through.
Index surely_true(const ExpectedModes& expected) {
  Index seen = 0;
  Index sure = 0;
  for (const ExpectedMode& mode : expected.modes) {
    if (!mode.in_large_component) {
      continue;
    }
    if (++seen > expected.asked + expected.cap) {
      break;
    }
    sure += mode.flag == Flag::True ? 1 : 0;
  }
  return sure;
}

bool warned(const Spectrum& spectrum, const char* words) {
  return std::any_of(spectrum.warnings.begin(), spectrum.warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

void check_counts(const Solved& s, const ExpectedModes& expected, Findings& findings) {
  const Index found = true_modes(s.spectrum);
  if (found > expected.asked + 1) {
    findings.add("counts", "{} true modes returned, {} asked for", found, expected.asked);
  }
  if (Index(s.spectrum.spurious.size()) > expected.cap) {
    findings.add("counts", "{} spurious modes beside {} asked for, more than {}", s.spectrum.spurious.size(),
                 expected.asked, expected.cap);
  }
  if (found < expected.asked) {
    const Index sure = surely_true(expected);
    if (sure >= expected.asked) {
      findings.add("counts", "{} true modes returned, {} asked for, {} there are", found, expected.asked, sure);
    }
    if (!warned(s.spectrum, "live on more than a handful of points")) {
      findings.add("counts", "{} true modes returned, {} asked for, without a warning", found, expected.asked);
    }
  }
  findings.passed("counts");
}

void check_size(const Solved& s, Findings& findings) {
  const double largest = s.mu().cwiseAbs().maxCoeff();
  findings.expect_at_most(eigenvalues_kind, "largest |mu|, less 1", largest - 1.0,
                          allowed_excess(s) + s.right_residuals().maxCoeff());
}

void check_order(const Solved& s, const ExpectedModes& expected, Findings& findings) {
  const Eigen::VectorXcd mu = s.mu();
  if (std::abs(mu[0] - 1.0) > 0.0 || s.spectrum.is_spurious(0)) {
    findings.add("order", "mode 0 has mu - 1 = {:.3g}{}", std::abs(mu[0] - 1.0),
                 s.spectrum.is_spurious(0) ? " and is flagged" : "");
  }
  for (Index n = 1; n < mu.size(); ++n) {
    const double rise = mu[n].real() - mu[n - 1].real();
    const double tolerance = nearest(expected, mu[n]).radius + nearest(expected, mu[n - 1]).radius + s.slack() + 1e-15;
    // A zero mode comes first and is exact; on a grid others may exceed 1 by what its products lack.
    const double excess = mu[n - 1] == 1.0 ? allowed_excess(s) : 0.0;
    if (rise > tolerance + excess) {
      findings.add("order", "mode {} comes after mode {}, but mu is larger by {:.3g}", n, n - 1, rise);
    }
    if (mu[n].imag() < 0.0 && !(std::abs(mu[n] - std::conj(mu[n - 1])) <= 1e-12)) {
      findings.add("order", "mode {} has a negative imaginary part and does not follow its conjugate", n);
    }
  }
  findings.passed("order");
}

}  // namespace

void check_eigenvalues(const Solved& s, Findings& findings) {
  const ExpectedModes expected = expected_modes(s);
  auto bundles = bundles_of(expected);
  count_returned(s, expected, bundles, findings);
  check_none_missing(s, expected, bundles, findings);
  check_counts(s, expected, findings);
  check_size(s, findings);
  check_order(s, expected, findings);
}

}  // namespace itomap::differential
