#include "neighbors/neighbor_search.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>

#include "neighbors/brute_force.hpp"
#include "neighbors/cell_grid.hpp"
#include "neighbors/kd_order.hpp"
#include "neighbors/kd_tree.hpp"

namespace itomap::detail {
namespace {

/// Beyond, a kd-tree visits nearly every point of any cloud, and takes longer to build than it could save.
constexpr Index most_tree_dimensions = 32;

/// Below this brute force always wins, and a sample would take longer than the work.
constexpr Index few_points = 512;

/// Seconds for a sample of queries, evaluating the distances of all candidates as a kernel row would.
double sample_seconds(const NeighborSearch& search, PointsView points, double cell) {
  constexpr Index queries = 24;
  const Vector half_widths = Vector::Constant(points.cols(), cell);
  std::vector<IndexRange> found;
  const auto begin = std::chrono::steady_clock::now();
  volatile double sink = 0.0;  // keeps the distances from being optimised away
  for (Index k = 0; k < queries; ++k) {
    const auto centre = points.row(k * (points.rows() - 1) / (queries - 1));
    search.candidates(centre.data(), {half_widths.data(), cell}, found);
    for (const IndexRange range : found) {
      sink = sink + (points.middleRows(range.begin, range.end - range.begin).rowwise() - centre).squaredNorm();
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::unique_ptr<NeighborSearch> faster_of(std::unique_ptr<NeighborSearch> a, std::unique_ptr<NeighborSearch> b,
                                          PointsView points, double cell) {
  return sample_seconds(*b, points, cell) < sample_seconds(*a, points, cell) ? std::move(b) : std::move(a);
}

/// Whether a sample of queries finds few candidates that are not near: no other search could save much.
bool is_selective(const NeighborSearch& search, PointsView points, double cell) {
  constexpr Index queries = 24;
  constexpr double most_candidates = 4.0;  // for each that is near; a box has 1.3 times a ball's area, cells twice that
  const Vector half_widths = Vector::Constant(points.cols(), cell);
  std::vector<IndexRange> found;
  double candidates = 0.0;
  double near = 0.0;
  for (Index k = 0; k < queries; ++k) {
    const auto centre = points.row(k * (points.rows() - 1) / (queries - 1));
    search.candidates(centre.data(), {half_widths.data(), cell}, found);
    for (const IndexRange range : found) {
      const auto all = points.middleRows(range.begin, range.end - range.begin);
      candidates += double(all.rows());
      near += double(((all.rowwise() - centre).rowwise().squaredNorm().array() <= cell * cell).count());
    }
  }
  return candidates <= most_candidates * near;
}

}  // namespace

std::unique_ptr<NeighborSearch> make_search(PointsView points, SearchMethod method, double cell) {
  switch (method) {
    case SearchMethod::CellGrid:
      return std::make_unique<CellGrid>(points, cell);
    case SearchMethod::KdTree:
      return std::make_unique<KdTree>(points);
    case SearchMethod::BruteForce:
      return std::make_unique<BruteForce>(points);
    case SearchMethod::Auto:
      break;
  }
  return fastest_search(points, cell);
}

std::unique_ptr<NeighborSearch> fastest_search(PointsView points, double cell) {
  auto best = make_search(points, SearchMethod::BruteForce, cell);
  if (points.rows() <= few_points || points.cols() > most_tree_dimensions) {
    return best;
  }
  if (points.cols() <= CellGrid::max_dimension) {
    auto grid = make_search(points, SearchMethod::CellGrid, cell);
    if (is_selective(*grid, points, cell)) {
      return grid;
    }
    best = faster_of(std::move(best), std::move(grid), points, cell);
  }
  return faster_of(std::move(best), make_search(points, SearchMethod::KdTree, cell), points, cell);
}

std::vector<std::int32_t> spatial_order(PointsView points, double cell) {
  if (points.cols() > CellGrid::max_dimension) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(points.rows()));
    std::iota(order.begin(), order.end(), 0);
    kd_order(points, 0, order);
    return order;
  }
  const CellGrid grid(points, cell);
  std::vector<std::int32_t> order = grid.order();
  for (Index c = 0; c < grid.cells(); ++c) {
    const IndexRange range = grid.members(c);
    kd_order(points, range.begin,
             std::span(order).subspan(std::size_t(range.begin), std::size_t(range.end - range.begin)));
  }
  return order;
}

}  // namespace itomap::detail
