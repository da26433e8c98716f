#include "support/simulated_well.hpp"

#include <cmath>

#include "support/samples.hpp"

namespace itomap::exact {
namespace {

struct Coefficients {
  double b[2];
  double a[2];
};

Coefficients coefficients(double x, double y) {
  const double a1 = 0.5 + 0.2 * std::sin(x + y);
  const double a2 = 0.5 + 0.2 * std::cos(x);
  const double div1 = 0.2 * std::cos(x + y);  // d a1 / dx; a2 does not depend on y
  return {{-a1 * 4.0 * x * (x * x - 1.0) + div1, -a2 * 2.0 * y}, {a1, a2}};
}

void advance(double* x, double step, Index steps, samples::Random& random) {
  for (Index k = 0; k < steps; ++k) {
    const Coefficients c = coefficients(x[0], x[1]);
    for (int i = 0; i < 2; ++i) {
      x[i] += step * c.b[i] + std::sqrt(2.0 * step * c.a[i]) * random.normal();
    }
  }
}

Index steps_in(double time, double step) { return Index(std::lround(time / step)); }

}  // namespace

Points SimulatedWell::drift(PointsView points) {
  Points b(points.rows(), 2);
  for (Index i = 0; i < points.rows(); ++i) {
    const Coefficients c = coefficients(points(i, 0), points(i, 1));
    b.row(i) << c.b[0], c.b[1];
  }
  return b;
}

Points SimulatedWell::diffusion(PointsView points) {
  Points a(points.rows(), 4);
  for (Index i = 0; i < points.rows(); ++i) {
    const Coefficients c = coefficients(points(i, 0), points(i, 1));
    a.row(i) << c.a[0], 0.0, 0.0, c.a[1];
  }
  return a;
}

void SimulatedWell::run(std::span<const double> start, double time, std::uint64_t seed, std::span<double> end) const {
  samples::Random random(seed);
  end[0] = start[0];
  end[1] = start[1];
  advance(end.data(), step, steps_in(time, step), random);
}

Points SimulatedWell::trajectory(Index frames, double dt, std::uint64_t seed) const {
  samples::Random random(seed);
  Points all(frames, 2);
  double x[2] = {1.0, 0.0};
  for (Index t = 0; t < frames; ++t) {
    all.row(t) << x[0], x[1];
    advance(x, step, steps_in(dt, step), random);
  }
  return all;
}

}  // namespace itomap::exact
