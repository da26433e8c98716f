#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {
namespace {

/// 0 that rounding made 1e-16 is still 0 to a reader.
double shown(double x, double scale) { return std::abs(x) * scale < 1e-13 ? 0.0 : x; }

bool converged(const Spectrum& s, Index n) { return s.status[std::size_t(n)] == PairStatus::Converged; }

std::string flags(const Spectrum& s, Index n) {
  std::string text;
  if (s.is_spurious(n)) {
    text += fmt::format("  spurious ({})", detail::plural(std::lround(s.effective_points(n)), "point"));
  }
  return converged(s, n) ? text : text + "  not converged";
}

bool all_real(const Spectrum& s) { return (s.eigenvalues.imag().array() == 0).all(); }

std::string row(const Spectrum& s, Index n, double condition) {
  const double re = shown(s.eigenvalues(n).real(), s.time_step);
  const double rate = shown(s.rates_log(n), s.time_step);
  auto text = fmt::format("{:>4}{:>12.5g}", n, re);
  if (!all_real(s)) {
    text += fmt::format(" {:<11}", detail::imaginary_text(shown(s.eigenvalues(n).imag(), s.time_step)));
  }
  text += fmt::format(" {:>11.5g} {:>11.5g} {:>14.5g} {:>9.1e}", rate, re == 0 ? INFINITY : s.timescales(n),
                      rate == 0 ? INFINITY : s.timescales_log(n), s.residuals(n));
  if (!s.is_real()) {
    text += fmt::format(" {:>9.1e} {:>9.3g}", s.left_residuals(n), condition);
  }
  return text + flags(s, n) + "\n";
}

/// A flagged zero of a component: one line stands for all that follow each other.
bool lone_zero(const Spectrum& s, Index n) { return s.is_spurious(n) && s.eigenvalues(n) == 0.0 && converged(s, n); }

Index last_lone_zero(const Spectrum& s, Index n) {
  while (n + 1 < s.eigenvalues.size() && lone_zero(s, n) && lone_zero(s, n + 1)) {
    ++n;
  }
  return n;
}

}  // namespace

// The names are those of result.json.
std::string Spectrum::report() const {
  constexpr Index shown_one_by_one = 3;
  const std::string gap(all_real(*this) ? 0 : 12, ' ');
  auto text = fmt::format("{:>4}{:>12}{}{:>12}{:>12}{:>15}{:>10}{}\n", "n", "eigenvalue", gap, "rate_log", "timescale",
                          "timescale_log", "residual", is_real() ? "" : "      left condition");
  const Vector conditions = is_real() ? Vector(Vector::Ones(eigenvalues.size())) : condition_numbers();
  for (Index n = 0; n < eigenvalues.size(); ++n) {
    text += row(*this, n, conditions(n));
    const Index last = last_lone_zero(*this, n);
    if (last - n >= shown_one_by_one) {
      text += fmt::format("{:>4} to {}: the same, spurious\n", n + 1, last);
      n = last;
    }
  }
  return text;
}

}  // namespace itomap
