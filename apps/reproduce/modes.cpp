#include "reproduce/modes.hpp"

#include <cmath>

namespace itomap::reproduce {

std::vector<Index> trusted_modes(const Spectrum& spectrum) {
  std::vector<Index> trusted;
  for (Index n = 1; n < spectrum.timescales.size(); ++n) {
    if (!spectrum.is_spurious(n)) {
      trusted.push_back(n);
    }
  }
  return trusted;
}

Vector aligned(VectorView f, VectorView like) { return f.dot(like) < 0.0 ? Vector(-f) : Vector(f); }

double shape_error(VectorView f, VectorView g) { return (aligned(f, g).normalized() - g.normalized()).norm(); }

double density_error(VectorView f, VectorView g) { return (f / f.sum() - g / g.sum()).lpNorm<1>(); }

double correlation(VectorView f, VectorView g, VectorView weights) {
  const Vector w = weights / weights.sum();
  const Vector a = f.array() - w.dot(f);
  const Vector b = g.array() - w.dot(g);
  const auto product = [&](const Vector& u, const Vector& v) { return (w.array() * u.array() * v.array()).sum(); };
  return std::abs(product(a, b)) / std::sqrt(product(a, a) * product(b, b));
}

}  // namespace itomap::reproduce
