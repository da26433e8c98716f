#include "kernel/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/agreement.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "itomap/core/error.hpp"
#include "kernel/grid/grid_operator.hpp"
#include "kernel/landmarks/landmark_choice.hpp"
#include "kernel/landmarks/landmark_operator.hpp"
#include "kernel/pairs/dense_operator.hpp"
#include "kernel/pairs/sparse_operator.hpp"

namespace itomap::detail {
namespace {

/// Products with blocks of four vectors that ten eigenpairs typically take, the sweeps for repeated ones included.
constexpr double typical_blocks = 80.0;

// Seconds on one core, measured with bench/micro; products are with blocks of four vectors. They are not measured anew
// on every machine: with the same memory the same call must choose the same engine, or its results would differ from
// run to run by the cut-off.
constexpr double per_assembled_entry = 9e-9;
constexpr double per_searched_pair = 0.4e-9;  // beyond three dimensions every pair is a candidate
constexpr double per_stored_entry = 0.50e-9;
constexpr double per_scattered_entry = 0.70e-9;  // beyond three dimensions few neighbours are neighbours in memory
constexpr double per_dense_pair = 0.65e-9;
constexpr double per_dense_pair_and_axis = 0.03e-9;
constexpr double per_landmark_entry = 1.5e-9;  // of S or T, with four vectors
constexpr double per_landmark_axis = 0.1e-9;
constexpr double per_landmark_moment = 0.06e-9;
constexpr double per_threaded_product = 3e-4;  // to hand a loop to other threads and wait for them
constexpr double per_grid_product = 6e-4;      // of which a transform has several

/// What one engine would need; not available where the kernel does not suit it.
struct Estimate {
  Engine engine;
  bool available = true;
  double bytes = 0.0;      // held
  double transient = 0.0;  // more of them, until it is built
  double setup = 0.0;      // seconds, once, on one core
  double product = 0.0;    // seconds, a block of four vectors, on one core
  double overhead = 0.0;   // seconds more for each product, however many threads
  int processes = 1;       // that share its products

  double product_seconds(double cores) const { return product / cores + overhead; }
  double total(double cores) const { return setup / cores + typical_blocks * product_seconds(cores); }
  /// With what its user holds beside it, which comes when what is transient has gone.
  double most_bytes(double beside) const { return bytes + std::max(transient, beside); }
};

/// Everything that is known about a kernel before it is built.
struct Prospect {
  double entries_a_row = 0.0;
  std::optional<GridLayout> layout;
  std::vector<Estimate> estimates;
};

Estimate sparse_estimate(const KernelGeometry& geometry, const Prospect& prospect, bool single_precision) {
  const double m = double(geometry.size());
  const double entries = prospect.entries_a_row * m;
  const double half = geometry.symmetric() ? 0.5 : 1.0;
  const bool many_axes = geometry.dimension() > GaussGrid::max_dimension;
  const double candidates = many_axes ? m * m : 0.0;
  Estimate e{Engine::Sparse};
  // Seconds are those of one process: the same engine, and the same bits, for any number of them.
  e.processes = current_ranks() != nullptr ? current_ranks()->size() : 1;
  e.bytes =
      SparseOperator::predicted_bytes(m, prospect.entries_a_row, geometry.symmetric(), single_precision, e.processes);
  e.transient = double(geometry.memory());
  e.setup = half * (per_assembled_entry * entries + per_searched_pair * candidates);
  e.product = (many_axes ? per_scattered_entry : per_stored_entry) * entries;
  e.overhead = per_threaded_product;
  return e;
}

Estimate dense_estimate(const KernelGeometry& geometry, const Prospect& prospect) {
  const double m = double(geometry.size());
  const double pair = per_dense_pair + per_dense_pair_and_axis * double(geometry.dimension());
  // Tiles of 64 points that reach across the cut-off are computed as a whole.
  const double pairs_a_row = std::min(m, 2.0 * prospect.entries_a_row + 256.0);
  Estimate e{Engine::Dense};
  e.bytes = double(geometry.memory()) + 2.0 * m * double(geometry.dimension()) * sizeof(double);
  e.product = pair * m * pairs_a_row * (geometry.symmetric() ? 1.0 : 1.5);
  e.overhead = per_threaded_product;
  return e;
}

bool suits_grid(const KernelGeometry& geometry) {
  return geometry.dimension() <= GaussGrid::max_dimension && geometry.whitenable();
}

Estimate grid_estimate(const KernelGeometry& geometry, Prospect& prospect) {
  Estimate e{Engine::Grid};
  e.available = suits_grid(geometry);
  if (e.available) {
    prospect.layout = grid_layout(geometry);
    e.bytes = prospect.layout->predicted_bytes(geometry);
    e.transient = e.bytes - double(geometry.memory());  // whitened copies while the points are sorted
    e.setup = 1e-7 * double(geometry.size());
    e.product = prospect.layout->grid.predicted_seconds(geometry.size());
    e.overhead = per_grid_product;
    e.available = std::isfinite(e.bytes);
  }
  return e;
}

/// For ten eigenpairs: three passes to choose, six products that take two each, and the moments once.
Estimate landmarks_estimate(const KernelGeometry& geometry, const KernelOptions& options) {
  Estimate e{Engine::Landmarks};
  e.available = LandmarkOperator::unsuited(geometry) == nullptr;
  const double m = double(geometry.size());
  const double n = double(std::min(options.landmarks > 0 ? options.landmarks : most_landmarks, geometry.size()));
  const double pass = m * n * (per_landmark_entry + per_landmark_axis * double(geometry.dimension()));
  e.bytes = LandmarkOperator::predicted_bytes(geometry, options.landmarks);
  e.transient = LandmarkKernel::moment_bytes(n);
  e.setup = 8.0 * pass + per_landmark_moment * m * n * n;
  e.product = 2.0 * pass;
  e.overhead = per_threaded_product;
  return e;
}

Prospect prospect(const KernelGeometry& geometry, const KernelOptions& options) {
  Prospect p;
  p.entries_a_row = geometry.sample().entries;
  p.estimates = {sparse_estimate(geometry, p, options.single_precision), grid_estimate(geometry, p),
                 dense_estimate(geometry, p), landmarks_estimate(geometry, options)};
  return p;
}

const Estimate& estimate(const Prospect& p, Engine engine) {
  return *std::find_if(p.estimates.begin(), p.estimates.end(), [&](const Estimate& e) { return e.engine == engine; });
}

[[noreturn]] void refuse(std::string_view what, double needed, std::size_t budget, std::string_view remedy) {
  throw InvalidArgument(fmt::format("memory: {} needs about {}, but {} are allowed; {}", what, format_bytes(needed),
                                    format_bytes(double(budget)), remedy));
}

std::string describe(const Estimate& e) {
  return fmt::format("{} {:.2g} s and {}", to_string(e.engine), e.total(1.0), format_bytes(e.bytes));
}

/// Whether a grid is so large for its points that all pairs take next to nothing beside it.
bool mostly_empty(const Prospect& p) {
  constexpr double noticed = 1.0;  // seconds a product: nobody minds what is wasted below
  constexpr double times_all_pairs = 100.0;
  const double product = estimate(p, Engine::Grid).product;
  return product > noticed && product > times_all_pairs * estimate(p, Engine::Dense).product;
}

/// Checks that the engine asked for can be had.
KernelPlan obey(const KernelGeometry& geometry, const Prospect& p, Engine asked, double beside, std::size_t budget) {
  const Estimate& e = estimate(p, asked);
  if (!e.available && asked == Engine::Landmarks) {
    throw InvalidArgument(fmt::format("engine: {}; take auto, sparse or dense", LandmarkOperator::unsuited(geometry)));
  }
  if (!e.available || (asked == Engine::Grid && mostly_empty(p))) {
    throw InvalidArgument(fmt::format(
        "engine: grid {}; take auto, sparse or dense",
        geometry.dimension() > GaussGrid::max_dimension ? "is for at most three coordinates"
        : geometry.has_bandwidth() ? "needs the same kernel width everywhere, but the bandwidth varies it"
        : !geometry.whitenable()   ? "needs the same A at all points, and a diagonal one for periodic coordinates"
                                   : "would be mostly empty, the points are spread too thin for this epsilon"));
  }
  const double bytes = e.most_bytes(beside);
  if (bytes > double(budget)) {
    refuse(fmt::format("the {} engine", to_string(asked)), bytes, budget,
           "allow more memory, take a smaller epsilon, or let the engine be auto");
  }
  return {asked, "asked for"};
}

/// An exact engine that takes longer than this, on one core, is none.
constexpr double longest_seconds = 3600.0;

/// The fastest that fits, on one core: the same engine, and the same bits, for any number of threads. Landmarks, an
/// approximation, only where no other would come to an end.
KernelPlan choose(const Prospect& p, double beside, std::size_t budget) {
  const Estimate* best = nullptr;
  std::string others;
  for (const Estimate& e : p.estimates) {
    const bool fits = e.available && e.most_bytes(beside) <= double(budget);
    if (e.engine == Engine::Landmarks) {
      const bool none = best == nullptr || best->total(1.0) > longest_seconds;
      best = fits && none && (best == nullptr || e.total(1.0) < best->total(1.0)) ? &e : best;
    } else if (fits && (best == nullptr || e.total(1.0) < best->total(1.0))) {
      best = &e;
    }
  }
  if (best == nullptr) {
    refuse("this many points", estimate(p, Engine::Dense).most_bytes(beside), budget,
           "allow more memory or take fewer points");
  }
  for (const Estimate& e : p.estimates) {
    if (&e != best && e.engine != Engine::Landmarks) {
      const bool too_big = e.available && e.most_bytes(beside) > double(budget);
      others += fmt::format("{}{}", others.empty() ? "" : "; ",
                            !e.available ? fmt::format("{} does not suit this kernel", to_string(e.engine))
                            : too_big    ? fmt::format("{} does not fit into memory", describe(e))
                                         : describe(e));
    }
  }
  return {best->engine, fmt::format("{:.0f} neighbours a point: {} expected for ten eigenpairs on one core, against {}",
                                    p.entries_a_row, describe(*best), others)};
}

bool grid_is_allowed(const KernelOptions& options) {
  return options.engine == Engine::Auto || options.engine == Engine::Grid;
}

/// The grid, where a transform of all points beats the entries of some rows one by one.
std::optional<GridLayout> cheaper_grid(const KernelGeometry& geometry, double rows, const KernelOptions& options) {
  if (!suits_grid(geometry) || !grid_is_allowed(options)) {
    return {};
  }
  GridLayout layout = grid_layout(geometry);
  const double bytes = 2.0 * layout.predicted_bytes(geometry);
  const double seconds = 3.0 * layout.grid.predicted_seconds(geometry.size());
  const bool cheaper = seconds < per_assembled_entry * rows * geometry.sample().entries;
  return cheaper && bytes < double(memory_budget()) ? std::optional(std::move(layout)) : std::nullopt;
}

/// Says what the approximation costs.
std::shared_ptr<const KernelOperator> make_landmarks(KernelGeometry geometry, const KernelOptions& options,
                                                     KernelPlan& plan) {
  const auto kernel =
      std::make_shared<const LandmarkOperator>(std::move(geometry), options.landmarks, options.landmark_error);
  plan.landmarks = kernel->landmarks();
  plan.step_error = kernel->error().steps;
  plan.sum_error = kernel->error().sums;
  plan.reason += fmt::format("; {} landmarks: steps off by {:.2g} %, sums by {:.2g} %, on a sample of rows",
                             plan.landmarks, 100.0 * plan.step_error, 100.0 * plan.sum_error);
  return kernel;
}

}  // namespace

std::shared_ptr<const KernelOperator> make_kernel(KernelGeometry geometry, const KernelOptions& options, double beside,
                                                  KernelPlan* plan) {
  Prospect p = prospect(geometry, options);
  const auto budget = memory_budget();
  const double cores = current_threads();
  KernelPlan chosen =
      options.engine == Engine::Auto ? choose(p, beside, budget) : obey(geometry, p, options.engine, beside, budget);
  const Estimate& e = estimate(p, chosen.engine);
  chosen.predicted_bytes = e.bytes;
  chosen.predicted_seconds = 0.25 * e.product_seconds(cores * double(e.processes));
  std::shared_ptr<const KernelOperator> kernel;
  switch (chosen.engine) {
    case Engine::Sparse:
      kernel = std::make_shared<SparseOperator>(geometry, options);
      break;
    case Engine::Grid:
      kernel = std::make_shared<GridOperator>(std::move(geometry), std::move(*p.layout));
      break;
    case Engine::Landmarks:
      kernel = make_landmarks(std::move(geometry), options, chosen);
      break;
    default:
      kernel = std::make_shared<DenseOperator>(std::move(geometry));
  }
  if (plan != nullptr) {
    *plan = chosen;
  }
  return kernel;
}

Block row_products(KernelGeometry geometry, const std::vector<Index>& rows, PointsView x,
                   const KernelOptions& options) {
  Block y(Index(rows.size()), x.cols());
  auto layout = cheaper_grid(geometry, double(rows.size()), options);
  if (!layout) {
    geometry.row_products(rows, x, y);
    return y;
  }
  const GridOperator grid(std::move(geometry), std::move(*layout));
  Block all(x.rows(), x.cols());
  grid.apply(x, all);
  y = all(rows, Eigen::all);
  const auto doubtful = small_rows(all.col(0), grid.accuracy() * x.col(0).norm());
  std::vector<Index> places;
  std::vector<Index> exact;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (std::binary_search(doubtful.begin(), doubtful.end(), rows[k])) {
      places.push_back(Index(k));
      exact.push_back(rows[k]);
    }
  }
  Block again(Index(exact.size()), x.cols());
  grid.apply_rows(exact, x, again);
  y(places, Eigen::all) = again;
  return y;
}

Vector kernel_sums(KernelGeometry geometry, const KernelOptions& options) {
  if (options.engine == Engine::Landmarks) {
    return make_kernel(std::move(geometry), options)->row_sums();
  }
  Prospect p = prospect(geometry, options);
  const Estimate& grid = estimate(p, Engine::Grid);
  const bool fits = grid.available && grid.most_bytes(0.0) <= double(memory_budget());
  if (grid_is_allowed(options) && fits && grid.setup + grid.product_seconds(1.0) < estimate(p, Engine::Sparse).setup) {
    return GridOperator(std::move(geometry), std::move(*p.layout)).row_sums();
  }
  return geometry.row_sums();
}

}  // namespace itomap::detail
