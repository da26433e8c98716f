#include "support/torus_case.hpp"

#include <cmath>
#include <numbers>
#include <ostream>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"

namespace itomap::exact {
namespace {

TorusField wave(double amplitude, int k, int l, double phase = 0.0) { return TorusField::wave(amplitude, k, l, phase); }

bool is_forward(Construction c) {
  return c == Construction::TargetForward || c == Construction::BiasedForward || c == Construction::LocalForward;
}
bool is_target(Construction c) { return c == Construction::TargetBackward || c == Construction::TargetForward; }
bool is_biased(Construction c) { return c == Construction::BiasedBackward || c == Construction::BiasedForward; }

/// dX = grad log pi dt + sqrt(2) dW.
TorusProcess reversible_process(const TorusField& log_target) {
  return {{d(log_target, 0), d(log_target, 1)}, {{1.0, 0.0}, {0.0, 1.0}}};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Construction c) {
  return out << (is_target(c)   ? "Target"
                 : is_biased(c) ? "Biased"
                                : "Local")
             << (is_forward(c) ? "Forward" : "Backward");
}

Points TorusCase::lattice(Index n) const {
  const Vector first = samples::quantile_angles(n, amplitudes[0], shifts[0]);
  return dimension() == 1 ? Points(first)
                          : samples::lattice(first, samples::quantile_angles(n, amplitudes[1], shifts[1]));
}

Points TorusCase::sample(Index m, std::uint64_t seed) const {
  samples::Random random(seed);
  Points points(m, dimension());
  for (Index i = 0; i < m; ++i) {
    for (Index a = 0; a < dimension(); ++a) {
      points(i, a) = samples::angle_at_quantile(random.uniform(), amplitudes[std::size_t(a)], shifts[std::size_t(a)]);
    }
  }
  return points;
}

Vector TorusCase::computed(Construction c, PointsView points, double epsilon, double density_epsilon) const {
  KernelOptions kernel;
  kernel.engine = Engine::Sparse;
  kernel.cutoff = 1e-14;  // divided by epsilon it must not show
  kernel.period.assign(std::size_t(dimension()), 2.0 * std::numbers::pi);
  const Map map =
      is_target(c)
          ? target_measure_map(points, log_target.at(points), {.epsilon = epsilon, .kernel = kernel})
          : local_kernel_map(
                points, process.drift(points), Diffusion::matrices(process.diffusion(points)),
                {.epsilon = epsilon, .density_epsilon = density_epsilon, .biased = is_biased(c), .kernel = kernel});
  const Vector f = function.at(points);
  return is_forward(c) ? map.forward(f) : map.backward(f);
}

Vector TorusCase::limit(Construction c, PointsView points) const {
  const TorusProcess p = is_target(c) ? reversible_process(log_target) : process;
  const Vector limit = (is_forward(c) ? p.forward(function) : p.backward(function)).at(points);
  const auto over_q = [&](const TorusField& g) -> Vector { return g.at(points).cwiseQuotient(density.at(points)); };
  switch (c) {
    case Construction::BiasedBackward:
      return limit + 2.0 * over_q(p.bilinear(function, density));
    case Construction::BiasedForward:
      return limit - over_q(function * p.backward(density));
    default:
      return limit;
  }
}

Vector TorusCase::density_correction(PointsView points, const TorusProcess& metric) const {
  // -2 A_ij d_i f d_j (Laplacian q / q)
  const TorusField lap = laplacian(density);
  const Vector q = density.at(points);
  const Vector first = metric.bilinear(function, lap).at(points).cwiseQuotient(q);
  const Vector second =
      lap.at(points).cwiseProduct(metric.bilinear(function, density).at(points)).cwiseQuotient(q.cwiseAbs2());
  return -2.0 * (first - second);
}

Vector TorusCase::first_correction(Construction c, PointsView points, double ratio) const {
  if (c == Construction::TargetBackward) {
    // L^2 f / 2 + grad V . grad f with V = Laplacian(pi^1/2) / pi^1/2.
    const TorusProcess p = reversible_process(log_target);
    const TorusField v = laplacian(log_target) * 0.5 + gradient_product(log_target, log_target) * 0.25;
    const TorusField flat = p.backward(p.backward(function)) * 0.5 + gradient_product(v, function);
    return flat.at(points) + density_correction(points, p);
  }
  return 0.5 * process.frozen_square(function).at(points) + ratio * density_correction(points, process);
}

TorusCase torus_case() {
  const TorusField off = wave(0.25, 1, 1, 0.3);
  return {.density = (wave(0.4, 1, 0, -0.5) + 1.0) * (wave(0.3, 0, 1, 1.0) + 1.0),
          .amplitudes = {0.4, 0.3},
          .shifts = {0.5, -1.0},
          .log_target = wave(0.8, 1, 0) + wave(0.5, 1, 1, 0.4),
          .process = {{wave(0.5, 0, 1) + 0.3, wave(0.6, 1, 0, 1.0) + wave(0.3, 1, -1)},
                      {{wave(0.3, 1, 0) + 1.0, off}, {off, wave(0.25, 1, -1, 0.5) + 0.8}}},
          .function = wave(1.0, 1, 0, 0.2) + wave(0.7, 1, 1, 0.9)};
}

TorusCase circle_case() {
  return {.density = wave(0.5, 1, 0, -0.5) + 1.0,
          .amplitudes = {0.5},
          .shifts = {0.5},
          .log_target = wave(0.8, 1, 0) + wave(0.3, 2, 0, 0.4),
          .process = {{wave(0.6, 1, 0, 1.0) + 0.3, 0.0}, {{wave(0.3, 1, 0, -0.4) + 0.8, 0.0}, {0.0, 0.0}}},
          .function = wave(1.0, 1, 0, 0.2) + wave(0.4, 2, 0, 0.9)};
}

}  // namespace itomap::exact
