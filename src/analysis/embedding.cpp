#include "itomap/analysis/embedding.hpp"

#include <cmath>

namespace itomap {

Block embedding(const Spectrum& spectrum, double time) {
  const Index count = spectrum.eigenvalues.size() - 1;
  Block coordinates(spectrum.eigenfunctions.rows(), count);
  for (Index k = 0; k < count; ++k) {
    const Index n = k + 1;
    const std::complex<double> factor = std::exp(spectrum.eigenvalues[n] * time);
    if (spectrum.is_real()) {
      coordinates.col(k) = factor.real() * spectrum.eigenfunctions.col(n);
      continue;
    }
    // The second of a conjugate pair carries the same information: it gives way to the imaginary part of the first.
    const auto re = spectrum.eigenfunctions.col(n);
    const auto im = spectrum.eigenfunctions.im.col(n);
    const bool second = spectrum.eigenvalues[n].imag() < 0.0;
    coordinates.col(k) =
        second ? Vector(-(factor.real() * im + factor.imag() * re)) : Vector(factor.real() * re - factor.imag() * im);
  }
  return coordinates;
}

}  // namespace itomap
