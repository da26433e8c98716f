#include "kernel/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "itomap/core/error.hpp"
#include "kernel/dense_operator.hpp"
#include "kernel/density.hpp"
#include "kernel/grid_operator.hpp"
#include "kernel/sample_rows.hpp"
#include "kernel/sparse_operator.hpp"

namespace itomap {
namespace {

/// Products with blocks of four vectors that ten eigenpairs typically take, the sweeps for repeated ones included.
constexpr double typical_blocks = 80.0;

// Seconds for a block of four vectors on one core, measured with bench/micro.
constexpr double per_stored_entry = 1.2e-9;
constexpr double per_dense_pair = 2.0e-9;
constexpr double per_dense_pair_and_axis = 0.12e-9;

/// The eigensolver's basis and a few blocks beside the kernel.
double eigensolver_bytes(Index points) {
  constexpr double vectors = 72.0;
  return vectors * sizeof(double) * double(points);
}

/// What one engine would need; not available where the kernel does not suit it.
struct Estimate {
  Engine engine;
  bool available = true;
  double bytes = 0.0;
  double setup = 0.0;    // seconds, once
  double product = 0.0;  // seconds, a block of four vectors, on all threads

  double total() const { return setup + typical_blocks * product; }
};

/// Everything that is known about a kernel before it is built.
struct Prospect {
  double entries_a_row = 0.0;
  double seconds_a_row = 0.0;  // to compute it, on one core
  std::optional<GridLayout> layout;
  std::vector<Estimate> estimates;
};

/// The sample of rows that is counted is timed as well.
void sample(const KernelGeometry& geometry, Prospect& prospect) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  prospect.entries_a_row = mean_entries(geometry);
  const double rows = double(std::min<Index>(geometry.size(), 200));
  prospect.seconds_a_row = std::chrono::duration<double>(Clock::now() - begin).count() / rows;
}

Estimate sparse_estimate(const KernelGeometry& geometry, const Prospect& prospect, double cores,
                         bool single_precision) {
  const double m = double(geometry.size());
  Estimate e{Engine::Sparse};
  e.bytes = double(geometry.memory()) +
            SparseOperator::predicted_bytes(prospect.entries_a_row * m, geometry.symmetric(), single_precision);
  e.setup = prospect.seconds_a_row * m / cores * (geometry.symmetric() ? 1.0 : 1.5);
  e.product = per_stored_entry * prospect.entries_a_row * m / cores;
  return e;
}

Estimate dense_estimate(const KernelGeometry& geometry, double cores) {
  const double m = double(geometry.size());
  const double pair = per_dense_pair + per_dense_pair_and_axis * double(geometry.dimension());
  Estimate e{Engine::Dense};
  e.bytes = double(geometry.memory());
  e.product = pair * m * m / cores;
  return e;
}

Estimate grid_estimate(const KernelGeometry& geometry, Prospect& prospect, double cores) {
  Estimate e{Engine::Grid};
  e.available = geometry.dimension() <= GaussGrid::max_dimension && geometry.whitenable();
  if (e.available) {
    prospect.layout = grid_layout(geometry);
    e.bytes = prospect.layout->predicted_bytes(geometry);
    e.setup = 1e-7 * double(geometry.size());
    e.product = prospect.layout->grid.predicted_seconds(geometry.size()) / cores;
    e.available = std::isfinite(e.bytes);
  }
  return e;
}

Prospect prospect(const KernelGeometry& geometry, const KernelOptions& options) {
  const double cores = resolve_threads(options.threads);
  Prospect p;
  sample(geometry, p);
  p.estimates = {sparse_estimate(geometry, p, cores, options.single_precision), grid_estimate(geometry, p, cores),
                 dense_estimate(geometry, cores)};
  return p;
}

const Estimate& estimate(const Prospect& p, Engine engine) {
  return *std::find_if(p.estimates.begin(), p.estimates.end(), [&](const Estimate& e) { return e.engine == engine; });
}

void refuse(std::string_view what, double needed, std::size_t budget, std::string_view remedy) {
  throw InvalidArgument(fmt::format("memory: {} needs about {}, but {} are allowed; {}", what, format_bytes(needed),
                                    format_bytes(double(budget)), remedy));
}

std::string describe(const Estimate& e) {
  return fmt::format("{} {:.2g} s and {}", to_string(e.engine), e.total(), format_bytes(e.bytes));
}

/// Checks that the engine asked for can be had.
KernelPlan obey(const KernelGeometry& geometry, const Prospect& p, Engine asked, std::size_t budget) {
  const Estimate& e = estimate(p, asked);
  if (!e.available) {
    throw InvalidArgument(fmt::format(
        "engine: grid is for at most three coordinates with the same A at all points{}; take auto, sparse or dense",
        geometry.dimension() <= GaussGrid::max_dimension ? " and data that is not spread too thin" : ""));
  }
  const double bytes = e.bytes + eigensolver_bytes(geometry.size());
  if (bytes > double(budget)) {
    refuse(fmt::format("the {} engine", to_string(asked)), bytes, budget,
           "allow more memory, take a smaller epsilon, or let the engine be auto");
  }
  return {asked, "asked for"};
}

/// The fastest that fits.
KernelPlan choose(const KernelGeometry& geometry, const Prospect& p, std::size_t budget) {
  const double base = eigensolver_bytes(geometry.size());
  const Estimate* best = nullptr;
  std::string others;
  for (const Estimate& e : p.estimates) {
    const bool fits = e.available && e.bytes + base <= double(budget);
    if (fits && (best == nullptr || e.total() < best->total())) {
      best = &e;
    }
  }
  if (best == nullptr) {
    refuse("this many points", estimate(p, Engine::Dense).bytes + base, budget,
           "allow more memory or take fewer points");
  }
  for (const Estimate& e : p.estimates) {
    if (&e != best) {
      const bool too_big = e.available && e.bytes + base > double(budget);
      others += fmt::format("{}{}", others.empty() ? "" : "; ",
                            !e.available ? fmt::format("{} does not suit this kernel", to_string(e.engine))
                            : too_big    ? fmt::format("{} does not fit into memory", describe(e))
                                         : describe(e));
    }
  }
  return {best->engine, fmt::format("{:.0f} neighbours a point: {} expected for ten eigenpairs, against {}",
                                    p.entries_a_row, describe(*best), others)};
}

}  // namespace

std::shared_ptr<const KernelOperator> make_kernel(KernelGeometry geometry, const KernelOptions& options,
                                                  KernelPlan* plan) {
  Prospect p = prospect(geometry, options);
  const auto budget = memory_budget(options.memory);
  KernelPlan chosen =
      options.engine == Engine::Auto ? choose(geometry, p, budget) : obey(geometry, p, options.engine, budget);
  const Estimate& e = estimate(p, chosen.engine);
  chosen.predicted_bytes = e.bytes;
  chosen.predicted_seconds = 0.25 * e.product;
  if (plan != nullptr) {
    *plan = chosen;
  }
  switch (chosen.engine) {
    case Engine::Sparse:
      return std::make_shared<SparseOperator>(geometry, options);
    case Engine::Grid:
      return std::make_shared<GridOperator>(std::move(geometry), std::move(*p.layout), options);
    default:
      return std::make_shared<DenseOperator>(std::move(geometry), options);
  }
}

Vector kernel_sums(KernelGeometry geometry, const KernelOptions& options) {
  Prospect p = prospect(geometry, options);
  const Estimate& grid = estimate(p, Engine::Grid);
  const bool fits = grid.available && grid.bytes <= double(memory_budget(options.memory));
  const bool wanted = options.engine == Engine::Auto || options.engine == Engine::Grid;
  if (wanted && fits && grid.setup + grid.product < estimate(p, Engine::Sparse).setup) {
    return GridOperator(std::move(geometry), std::move(*p.layout), options).row_sums();
  }
  return kernel_density(geometry, options);
}

}  // namespace itomap
