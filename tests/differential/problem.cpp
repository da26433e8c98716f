#include "differential/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "differential/process.hpp"

namespace itomap::differential {
namespace {

using samples::Random;

bool chance(double share, Random& random) { return random.uniform() < share; }

/// Mostly just above the size at which the solvers iterate: small enough for a dense decomposition in milliseconds.
Index random_size(Random& random) {
  const double u = random.uniform();
  if (u < 0.12) {
    return 4 + random.below(50);
  }
  if (u < 0.9) {
    return 60 + random.below(70);
  }
  if (u < 0.98) {
    return 130 + random.below(100);
  }
  return 230 + random.below(170);
}

Index random_count(Index m, Random& random) {
  const double u = random.uniform();
  const Index most = m - 1;
  const Index count = u < 0.55   ? 1 + random.below(8)
                      : u < 0.85 ? 1 + random.below(16)
                      : u < 0.97 ? 1 + random.below(std::max<Index>(1, m / 3))
                                 : 1 + random.below(most);
  return std::clamp<Index>(count, 1, most);
}

Method random_method(Random& random) {
  const double u = random.uniform();
  return u < 0.3    ? Method::DiffusionMap
         : u < 0.6  ? Method::TargetMeasureMap
         : u < 0.88 ? Method::LocalKernelMap
                    : Method::BiasedLocalKernelMap;
}

Engine random_engine(Index dimension, Random& random) {
  const double u = random.uniform();
  const Engine engine = u < 0.25 ? Engine::Auto : u < 0.5 ? Engine::Sparse : u < 0.75 ? Engine::Dense : Engine::Grid;
  return engine == Engine::Grid && dimension > 3 ? Engine::Sparse : engine;
}

VariableBandwidth random_bandwidth(Index points, Index dimension, Random& random) {
  VariableBandwidth bandwidth;
  if (chance(0.15, random)) {
    bandwidth.strength = chance(0.3, random) ? 1.0 : random.uniform(0.1, 1.0);
    bandwidth.neighbours = chance(0.5, random) ? 0 : 2 + random.below(std::min<Index>(points - 1, 30));
    bandwidth.dimension = chance(0.5, random) ? 0 : 1 + random.below(dimension);
  }
  return bandwidth;
}

KernelOptions random_kernel(const Cloud& cloud, bool plain, Random& random) {
  KernelOptions kernel;
  kernel.engine = random_engine(cloud.points.cols(), random);
  if (kernel.engine == Engine::Grid && !plain) {
    kernel.engine = Engine::Auto;
  }
  kernel.cutoff = chance(0.8, random) ? 1e-8 : std::pow(10.0, random.uniform(-12.0, -5.0));
  kernel.period = cloud.period;
  kernel.single_precision = chance(0.05, random);
  return kernel;
}

void choose_process(Problem& p, Cloud& cloud, double width, Random& random) {
  Process process = random_process(cloud, width, random);
  p.kind = cloud.kind + "; " + process.kind;
  p.map.drift = process.drift;
  p.map.diffusion = process.diffusion;
  p.map.eta = process.eta;
  p.map.keep_traps = chance(0.15, random);
  p.map.epsilon = process.epsilon;
  if (chance(0.3, random)) {
    p.map.density_epsilon = std::pow(width * std::exp(random.uniform(-0.7, 0.7)), 2);
  }
}

void choose_map(Problem& p, Random& random) {
  Cloud cloud = random_cloud(random_size(random), random);
  const double width = cloud.spacing * std::exp(random.uniform(-2.2, 1.2));
  p.kind = cloud.kind;
  p.map.method = random_method(random);
  p.map.alpha = chance(0.5, random) ? 0.5 * double(random.below(4)) : random.uniform(-1.0, 2.0);
  p.map.bandwidth = random_bandwidth(cloud.points.rows(), cloud.points.cols(), random);
  p.map.drop_isolated = chance(0.15, random);
  p.map.epsilon = width * width;
  if (p.map.local()) {
    choose_process(p, cloud, width, random);
  } else if (p.map.method == Method::TargetMeasureMap) {
    const Target target = random_target(cloud, random);
    p.kind = cloud.kind + "; " + target.kind;
    p.map.log_target = target.log_values;
  }
  if (chance(0.04, random)) {
    p.map.epsilon = Scale::steepest();
  }
  const bool one_metric = !p.map.local() || p.map.diffusion->is_constant();
  p.map.kernel = random_kernel(cloud, p.map.bandwidth.fixed() && one_metric, random);
  p.execution.threads = 1;
  if (p.map.kernel.engine == Engine::Grid) {
    p.execution.memory = std::size_t(4) << 20;  // a grid around far points would be large and slow
  }
  p.map.points = std::move(cloud.points);
}

}  // namespace

Problem random_problem(std::uint64_t seed) {
  Random random(seed);
  Problem p;
  p.seed = seed;
  choose_map(p, random);
  const Index m = p.map.points.rows();
  p.eigenpairs.count = random_count(m, random);
  p.eigenpairs.seed = random.bits() % 1000;
  p.eigenpairs.spurious_error = chance(0.85, random) ? 0.3 : random.uniform(0.15, 0.6);
  p.source_seed = random.below(m);
  p.sink_seed = random.below(m);
  p.set_share = chance(0.3, random) ? 0.0 : random.uniform(0.0, 0.3);
  p.with_committor = chance(0.4, random);
  p.with_extension = chance(0.25, random);
  p.with_threads = chance(0.12, random);
  p.with_storage = chance(0.03, random);
  return p;
}

const char* method_name(Method method) {
  switch (method) {
    case Method::DiffusionMap:
      return "dmap";
    case Method::TargetMeasureMap:
      return "tmd";
    case Method::LocalKernelMap:
      return "lkd";
    case Method::BiasedLocalKernelMap:
      return "biased lkd";
  }
  return "?";
}

std::string describe(const Problem& p) {
  const MapDefinition& map = p.map;
  std::string text = fmt::format(
      "{} {}, m {}, N {}, {} pairs, epsilon {}, cutoff {:.1e}", method_name(map.method), to_string(map.kernel.engine),
      map.points.rows(), map.points.cols(), p.eigenpairs.count,
      map.epsilon.is_value() ? fmt::format("{:.4g}", map.epsilon.value()) : map.epsilon.text(), map.kernel.cutoff);
  if (map.method == Method::DiffusionMap) {
    text += fmt::format(", alpha {:.3g}", map.alpha);
  }
  if (!map.bandwidth.fixed()) {
    text += fmt::format(", bandwidth {:.2g}", map.bandwidth.strength);
  }
  if (map.keep_traps) {
    text += ", traps kept";
  }
  if (map.drop_isolated) {
    text += ", dropping isolated points";
  }
  if (map.kernel.single_precision) {
    text += ", single precision";
  }
  return text + ": " + p.kind;
}

}  // namespace itomap::differential
