// Products with a kernel matrix, the step everything else repeats: by engine, by number of points, by block width.
#include <benchmark/benchmark.h>

#include "points.hpp"

namespace {

using itomap::Block;
using itomap::Engine;
using itomap::Index;

void product(benchmark::State& state, Engine engine) {
  const Index m = state.range(0);
  const Index width = state.range(1);
  const itomap::Points points = bench::uniform_points(m, 2);
  const auto map = itomap::diffusion_map(
      points, {.epsilon = bench::epsilon_for(m, 2, 200.0), .kernel = {.engine = engine, .threads = 1}});
  const Block x = Block::Ones(m, width);
  Block y(m, width);
  for (auto _ : state) {
    map.kernel->apply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  const double row = engine == Engine::Dense ? static_cast<double>(m) : map.diagnostics.mean_neighbours;
  state.counters["pair_and_vector"] =
      benchmark::Counter(row * static_cast<double>(m * width),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes"] = static_cast<double>(map.kernel->memory());
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"", "width"})->ArgsProduct({{1000, 10000}, {1, 4, 12}})->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(product, sparse, Engine::Sparse)->Apply(sizes);
BENCHMARK_CAPTURE(product, dense, Engine::Dense)->Apply(sizes);

void assemble(benchmark::State& state) {
  const Index m = state.range(0);
  const itomap::Points points = bench::uniform_points(m, 2);
  const double epsilon = bench::epsilon_for(m, 2, 200.0);
  for (auto _ : state) {
    const auto map = itomap::diffusion_map(points, {.epsilon = epsilon, .kernel = {.engine = Engine::Sparse}});
    benchmark::DoNotOptimize(map.density.data());
  }
}

BENCHMARK(assemble)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
