// Ten eigenpairs, symmetric and general, with the number of products they took.
#include <benchmark/benchmark.h>

#include "points.hpp"

namespace {

using itomap::Index;

constexpr double neighbours = 200.0;

void solve(benchmark::State& state, const itomap::Map& map) {
  Index products = 0;
  for (auto _ : state) {
    products = itomap::eigenpairs(map, {.count = 10}).products;
  }
  state.counters["products"] = static_cast<double>(products);
}

void eigenpairs_tmdmap(benchmark::State& state) {
  const itomap::Points points = bench::uniform_points(state.range(0), 2);
  const itomap::Vector log_target = -0.5 * points.rowwise().squaredNorm();
  const double epsilon = bench::epsilon_for(points.rows(), 2, neighbours);
  solve(state, itomap::target_measure_map(points, log_target, {.epsilon = epsilon}));
}

void eigenpairs_lkdmap(benchmark::State& state) {
  const itomap::Points points = bench::uniform_points(state.range(0), 2);
  const itomap::Points drift = -points;
  const double epsilon = bench::epsilon_for(points.rows(), 2, neighbours);
  solve(state, itomap::local_kernel_map(points, drift, itomap::Diffusion::constant(1.0), {.epsilon = epsilon}));
}

BENCHMARK(eigenpairs_tmdmap)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(eigenpairs_lkdmap)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
