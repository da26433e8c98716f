#include "kernel/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/memory.hpp"
#include "itomap/core/error.hpp"
#include "kernel/dense_operator.hpp"
#include "kernel/sparse_operator.hpp"

namespace itomap {
namespace {

/// Entries a row above the cut-off, from a sample spread evenly over the points.
double mean_entries(const KernelGeometry& geometry) {
  const Index sample = std::min<Index>(geometry.size(), 200);
  KernelRow row;
  double sum = 0.0;
  for (Index k = 0; k < sample; ++k) {
    geometry.row(k * geometry.size() / sample, row);
    sum += double(row.columns.size());
  }
  return sum / double(sample);
}

/// The eigensolver's basis and a few blocks beside the kernel.
double eigensolver_bytes(Index points) {
  constexpr double vectors = 72.0;
  return vectors * sizeof(double) * double(points);
}

void refuse(const char* what, double needed, std::size_t budget, const char* remedy) {
  throw InvalidArgument(fmt::format("memory: {} needs about {}, but {} are allowed; {}", what, format_bytes(needed),
                                    format_bytes(double(budget)), remedy));
}

struct Plan {
  double entries;       // above the cut-off, in all
  double sparse_bytes;  // in all, the eigensolver included
  double dense_bytes;
};

Plan plan(const KernelGeometry& geometry) {
  const double m = double(geometry.size());
  const double base = double(geometry.memory()) + eigensolver_bytes(geometry.size());
  const double entries = mean_entries(geometry) * m;
  return {entries, base + SparseOperator::predicted_bytes(entries, geometry.symmetric()), base};
}

/// Reading an entry back costs about half of recomputing one, and assembly as much as a few dozen products.
bool sparse_is_cheaper(const Plan& p, Index points) { return p.entries < 0.4 * double(points) * double(points); }

Engine choose(const Plan& p, Index points, Engine asked, std::size_t budget) {
  if (p.dense_bytes > double(budget)) {
    refuse("this many points", p.dense_bytes, budget, "allow more memory or take fewer points");
  }
  const bool sparse_fits = p.sparse_bytes <= double(budget);
  if (asked == Engine::Sparse && !sparse_fits) {
    refuse("the sparse engine", p.sparse_bytes, budget,
           "allow more memory, take a smaller epsilon, or let the engine be auto");
  }
  if (asked != Engine::Auto) {
    return asked;
  }
  return sparse_fits && sparse_is_cheaper(p, points) ? Engine::Sparse : Engine::Dense;
}

}  // namespace

std::shared_ptr<const KernelOperator> make_kernel(KernelGeometry geometry, const KernelOptions& options) {
  if (options.engine == Engine::Grid) {
    throw InvalidArgument("engine: grid is not part of this version; take auto, sparse or dense");
  }
  const Plan p = plan(geometry);
  if (choose(p, geometry.size(), options.engine, memory_budget(options.memory)) == Engine::Sparse) {
    return std::make_shared<SparseOperator>(geometry, options);
  }
  return std::make_shared<DenseOperator>(std::move(geometry), options);
}

}  // namespace itomap
