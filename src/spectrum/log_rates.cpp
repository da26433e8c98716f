#include "spectrum/log_rates.hpp"

#include <cmath>
#include <complex>
#include <limits>

namespace itomap::detail {
namespace {

using Complex = std::complex<double>;

/// exp(z) - 1 with all digits where z is small.
Complex expm1(Complex z) {
  const double half = std::sin(0.5 * z.imag());
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2.0 * half * half, std::exp(z.real()) * std::sin(z.imag())};
}

/// Re kappa, by Newton's method from lambda: for real lambda the function is convex and the iterates descend.
double log_rate(Complex lambda, const Vector& times, const Vector& weights) {
  constexpr int most_steps = 100;
  constexpr double precision = 1e-14;
  Complex kappa = lambda;
  for (int step = 0; step < most_steps; ++step) {
    Complex defect = -lambda;
    Complex slope = 0.0;
    for (Index i = 0; i < times.size(); ++i) {
      const Complex growth = expm1(kappa * times[i]);
      defect += weights[i] / times[i] * growth;
      slope += weights[i] * (growth + 1.0);
    }
    if (slope == 0.0) {
      break;
    }
    const Complex change = defect / slope;
    kappa -= change;
    if (std::abs(change) <= precision * std::abs(kappa)) {
      return kappa.real();
    }
  }
  return -std::numeric_limits<double>::infinity();
}

Vector modulus(const Eigenfunctions& f, Index n) {
  return f.is_real() ? Vector(f.re.col(n).cwiseAbs())
                     : Vector((f.re.col(n).array().square() + f.im.col(n).array().square()).sqrt());
}

}  // namespace

Vector log_rates(const Generator& generator, const Spectrum& spectrum) {
  const Vector times = generator.epsilon * generator.bandwidth.cwiseAbs2();
  Vector rates(spectrum.eigenvalues.size());
  for (Index n = 0; n < rates.size(); ++n) {
    const Vector weights = modulus(spectrum.eigenfunctions, n).cwiseProduct(modulus(spectrum.left_eigenfunctions, n));
    const Complex lambda = spectrum.eigenvalues[n];
    rates[n] = lambda == 0.0 ? 0.0 : log_rate(lambda, times, weights / weights.sum());
  }
  return rates;
}

}  // namespace itomap::detail
