// A black box that can be started anywhere: drift and diffusion from bursts, then the time scales by LKDmap.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>
#include <random>

int main() {
  // Where to ask: any points that cover the process.
  const itomap::Points points = itomap::Points(itomap::Vector::LinSpaced(300, -3.5, 3.5));

  // What to ask: an Ornstein-Uhlenbeck process, of which we pretend to know nothing but where it goes.
  constexpr double lag = 0.01;
  const itomap::BlackBox box = [](std::span<const double> start, std::uint64_t seed, std::span<double> end) {
    std::mt19937_64 random(seed);
    end[0] = start[0] * std::exp(-lag) + std::sqrt(1 - std::exp(-2 * lag)) * std::normal_distribution<>()(random);
  };

  const auto estimate = itomap::estimate_dynamics_from_bursts(points, /*runs=*/2000, box, {.lag = lag});
  const auto diffusion = itomap::Diffusion::matrices(estimate.diffusion);
  const auto map = itomap::local_kernel_map(estimate.points, estimate.drift, diffusion, {.epsilon = 0.02});
  const auto spectrum = itomap::eigenpairs(map, {.count = 2});
  std::printf("t_1 = %.3f (exact 1), error of A about %.3f\n", spectrum.timescales(1), estimate.suggested_eta);

  return std::abs(spectrum.timescales(1) - 1.0) < 0.15 ? 0 : 1;
}
