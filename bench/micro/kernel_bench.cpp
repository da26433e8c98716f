// Products with a kernel matrix, the step everything else repeats: by engine, by number of points, by block width, by
// number of threads. Dense products are counted in nanoseconds a pair and vector, over all m^2 pairs; sparse ones in
// bytes of the matrix a second, beside what this machine can read at most; those by the grid engine in points a second.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "core/context.hpp"
#include "generator/generator.hpp"
#include "points.hpp"

namespace {

using itomap::Block;
using itomap::Engine;
using itomap::Index;

constexpr double neighbours = 1000.0;
constexpr double circle_epsilon = 0.01;

enum class Cloud { Plane, Circle12 };

itomap::Map make_map(Cloud cloud, Index m, const itomap::KernelOptions& kernel, const itomap::Execution& execution) {
  if (cloud == Cloud::Plane) {
    return itomap::diffusion_map(
        bench::uniform_points(m, 2),
        {.epsilon = bench::epsilon_for(m, 2, neighbours), .kernel = kernel, .execution = execution});
  }
  return itomap::diffusion_map(bench::noisy_circle(m, 12),
                               {.epsilon = circle_epsilon, .kernel = kernel, .execution = execution});
}

const itomap::detail::KernelOperator& kernel_of(const itomap::Map& map) {
  return *itomap::detail::generator_of(map).kernel;
}

/// Bytes a second that so many threads read from memory, each its own array: the best of a few walks.
double read_bandwidth(int threads) {
  constexpr Index numbers = Index(1) << 24;
  std::vector<itomap::Vector> arrays(static_cast<std::size_t>(threads), itomap::Vector::Ones(numbers));
  double best = 0.0;
  for (int walk = 0; walk < 5; ++walk) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::jthread> readers;
    for (const itomap::Vector& array : arrays) {
      readers.emplace_back([&array] { benchmark::DoNotOptimize(array.sum()); });
    }
    readers.clear();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(threads * numbers) * sizeof(double) / seconds.count());
  }
  return best;
}

void product(benchmark::State& state, Cloud cloud, const itomap::KernelOptions& kernel) {
  const Index m = state.range(0);
  const Index width = state.range(1);
  const itomap::Execution execution{.threads = static_cast<int>(state.range(2))};
  const itomap::detail::ExecutionScope scope(execution);
  const auto map = make_map(cloud, m, kernel, execution);
  const itomap::detail::KernelOperator& op = kernel_of(map);
  const Block x = Block::Ones(m, width);
  Block y(m, width);
  for (auto _ : state) {
    op.apply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  const bool dense = kernel.engine == Engine::Dense;
  const double row = dense ? static_cast<double>(m) : map.diagnostics().mean_neighbours;
  state.counters["pair_and_vector"] =
      benchmark::Counter(row * static_cast<double>(m * width),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes"] = static_cast<double>(op.memory());
  if (kernel.engine == Engine::Sparse) {
    const auto bytes = static_cast<double>(op.memory());
    const double bandwidth = read_bandwidth(execution.threads);
    constexpr auto rate = benchmark::Counter::kIsIterationInvariantRate;
    state.counters["bytes_per_second"] = benchmark::Counter(bytes, rate);
    state.counters["machine_bytes_per_second"] = bandwidth;
    state.counters["share_of_machine"] = benchmark::Counter(bytes / bandwidth, rate);
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"", "width", "threads"})
      ->ArgsProduct({{1000, 10000}, {1, 4, 8, 12}, {1, 2}})
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

/// More than fits into any cache.
void large(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"", "width", "threads"})
      ->ArgsProduct({{100000}, {1, 4, 8, 12}, {1, 2}})
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const itomap::KernelOptions dense{.engine = Engine::Dense};
const itomap::KernelOptions sparse{.engine = Engine::Sparse};
const itomap::KernelOptions sparse_single{.engine = Engine::Sparse, .single_precision = true};
const itomap::KernelOptions landmarks{.engine = Engine::Landmarks, .landmarks = 512};

BENCHMARK_CAPTURE(product, dense_plane, Cloud::Plane, dense)->Apply(sizes);
BENCHMARK_CAPTURE(product, dense_12d, Cloud::Circle12, dense)->Apply(sizes);
BENCHMARK_CAPTURE(product, sparse_plane, Cloud::Plane, sparse)->Apply(sizes)->Apply(large);
BENCHMARK_CAPTURE(product, sparse_12d, Cloud::Circle12, sparse)->Apply(sizes);
BENCHMARK_CAPTURE(product, landmarks_12d, Cloud::Circle12, landmarks)->Apply(large);
BENCHMARK_CAPTURE(product, sparse_single_plane, Cloud::Plane, sparse_single)->Apply(large);

/// A product by the fast Gauss transform, on one core. The second argument is 1 / epsilon, the third -log10 of the
/// accuracy, the last how many vectors are multiplied at once.
void grid_product(benchmark::State& state) {
  const Index m = state.range(0);
  const itomap::Execution execution{.threads = 1};
  const itomap::detail::ExecutionScope scope(execution);
  itomap::KernelOptions options{.engine = Engine::Grid};
  options.cutoff = std::pow(10.0, -static_cast<double>(state.range(2)));
  const auto map = itomap::diffusion_map(
      bench::double_well(m),
      {.epsilon = 1.0 / static_cast<double>(state.range(1)), .kernel = options, .execution = execution});
  const Index vectors = state.range(3);
  const Block x = Block::Ones(m, vectors);
  Block y(m, vectors);
  for (auto _ : state) {
    kernel_of(map).apply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  constexpr auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["points_per_second"] = benchmark::Counter(static_cast<double>(m), rate);
  state.counters["values_per_second"] = benchmark::Counter(static_cast<double>(vectors * m), rate);
}

BENCHMARK(grid_product)
    ->ArgNames({"", "inverse_epsilon", "digits", "vectors"})
    ->Args({1000, 33, 7, 4})
    ->ArgsProduct({{1000000}, {33, 333, 3333}, {7}, {1, 4}})
    ->ArgsProduct({{1000000}, {33, 333, 3333}, {8}, {4}})
    ->Args({100000, 333, 8, 4})
    ->Args({10000000, 333, 8, 4})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void assemble(benchmark::State& state, Cloud cloud) {
  const Index m = state.range(0);
  const itomap::Execution execution{.threads = static_cast<int>(state.range(1))};
  for (auto _ : state) {
    const auto map = make_map(cloud, m, {.engine = Engine::Sparse}, execution);
    benchmark::DoNotOptimize(map.density().data());
  }
}

void assembly_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"", "threads"})
      ->ArgsProduct({{1000, 10000}, {1, 2}})
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(assemble, plane, Cloud::Plane)->Apply(assembly_sizes);
BENCHMARK_CAPTURE(assemble, 12d, Cloud::Circle12)->Apply(assembly_sizes);

}  // namespace
