#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spectrum/solve.hpp"

namespace itomap {
namespace {

/// |phi_n psi_n| at every point: how much the eigenvalue depends on each.
Vector mode_weights(const Spectrum& s, Index n) {
  const auto modulus = [n](const Block& re, const Block& im) -> Vector {
    return im.cols() == 0 ? Vector(re.col(n).cwiseAbs())
                          : Vector((re.col(n).array().square() + im.col(n).array().square()).sqrt());
  };
  return modulus(s.eigenfunctions, s.eigenfunctions_imag)
      .cwiseProduct(modulus(s.left_eigenfunctions, s.left_eigenfunctions_imag));
}

double effective_points(const Vector& weights) { return weights.sum() * weights.sum() / weights.squaredNorm(); }

}  // namespace

bool is_spurious_mode(const Vector& weights, double spurious_error) {
  return effective_points(weights) * spurious_error * spurious_error < 1.0;
}

void flag_spurious(Spectrum& spectrum, double spurious_error) {
  const Index n = spectrum.eigenvalues.size();
  spectrum.effective_points.resize(n);
  for (Index k = 0; k < n; ++k) {
    const Vector weights = mode_weights(spectrum, k);
    spectrum.effective_points[k] = effective_points(weights);
    if (k > 0 && is_spurious_mode(weights, spurious_error)) {
      spectrum.spurious.push_back(k);
    }
  }
  if (!spectrum.spurious.empty()) {
    spectrum.warnings.push_back(fmt::format(
        "mode(s) {} live on a handful of points each and are flagged as spurious: outliers, not slow processes; raise "
        "epsilon, or drop isolated points",
        fmt::join(spectrum.spurious, ", ")));
  }
}

}  // namespace itomap
