#include "kernel/grid/grid_operator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "kernel/grid/cell_graph.hpp"

namespace itomap::detail {
namespace {

/// A row of a local kernel that sums to less has its few entries computed one by one. A row of an isotropic kernel
/// never does: it holds the point itself.
constexpr double weak_row = 1.0;

/// Of kernel values on a rough grid. What it lacks costs products with the kernel itself, what it has more than it
/// takes costs moments.
constexpr double rough_accuracy = 1e-2;

/// At most so many points are taken for outliers.
Index most_outliers(Index points) { return std::min<Index>(1000, points / 20); }

struct Interval {
  double low;
  double high;
};

/// The range of the values after cutting off outliers at either end: few points beyond a gap wider than `gap`.
Interval without_outliers(std::vector<double> values, double gap) {
  const auto count = std::ptrdiff_t(most_outliers(Index(values.size())));
  const auto cut = [&](auto compare) {
    const auto middle = values.begin() + count;
    std::nth_element(values.begin(), middle, values.end(), compare);
    std::sort(values.begin(), middle, compare);
    for (auto inner = middle; inner != values.begin(); --inner) {
      if (std::abs(*inner - *(inner - 1)) > gap) {
        return *inner;
      }
    }
    return values.front();
  };
  const double low = cut(std::less<>());
  const double high = cut(std::greater<>());
  return {low, high};
}

bool inside(const double* z, const WhitenedBox& box, double margin) {
  for (Index a = 0; a < box.low.size(); ++a) {
    const bool periodic = !box.period.empty() && box.period[std::size_t(a)] > 0.0;
    if (!periodic && (z[a] < box.low[a] - margin || z[a] > box.high[a] + margin)) {
      return false;
    }
  }
  return true;
}

std::vector<std::int32_t> points_inside(const Points& z, const WhitenedBox& box, double margin) {
  std::vector<std::int32_t> found;
  for (Index i = 0; i < z.rows(); ++i) {
    if (inside(z.row(i).data(), box, margin)) {
      found.push_back(std::int32_t(i));
    }
  }
  return found;
}

Points rows_of(const Points& z, const std::vector<std::int32_t>& rows) { return z(rows, Eigen::all); }

std::vector<std::int32_t> complement(const std::vector<std::int32_t>& ascending, Index size) {
  std::vector<std::int32_t> missing;
  std::size_t k = 0;
  for (Index i = 0; i < size; ++i) {
    if (k < ascending.size() && ascending[k] == i) {
      ++k;
    } else {
      missing.push_back(std::int32_t(i));
    }
  }
  return missing;
}

std::vector<std::int32_t> chosen(const std::vector<std::int32_t>& numbers, const std::vector<std::int32_t>& which) {
  std::vector<std::int32_t> result(which.size());
  std::transform(which.begin(), which.end(), result.begin(), [&](std::int32_t k) { return numbers[std::size_t(k)]; });
  return result;
}

}  // namespace

double GridLayout::predicted_bytes(const KernelGeometry& geometry) const {
  const double cloud = double(geometry.size()) * SlabCloud::bytes_a_point(geometry.dimension());
  return double(geometry.memory()) + grid.bytes() + cloud * (geometry.symmetric() ? 1.0 : 2.0);
}

namespace {

/// Which points go onto a grid, and that grid, made for a box.
template <class MakeGrid>
GridLayout layout_on(const KernelGeometry& geometry, const MakeGrid& make_grid) {
  const Points sources = geometry.whitened_points();
  const double reach = std::sqrt(geometry.limit());
  const Index n = geometry.dimension();
  WhitenedBox box{Vector(n), Vector(n), geometry.whitened_period()};
  for (Index a = 0; a < n; ++a) {
    // Beyond a gap of twice the reach, no row that is centred near the others sees the outlier.
    const auto range = without_outliers({sources.col(a).begin(), sources.col(a).end()}, 2.0 * reach);
    box.low[a] = range.low;
    box.high[a] = range.high;
  }
  auto on_grid = points_inside(sources, box, 0.0);
  auto targets = on_grid;
  if (!geometry.symmetric()) {
    targets = points_inside(geometry.whitened_centres(), box, reach);
    box.low.array() -= reach;
    box.high.array() += reach;
  }
  return {make_grid(box), std::move(on_grid), std::move(targets)};
}

}  // namespace

GridLayout grid_layout(const KernelGeometry& geometry) {
  const double accuracy = std::exp(-geometry.limit());
  return layout_on(geometry,
                   [&](const WhitenedBox& box) { return GaussGrid::cheapest(box, geometry.size(), accuracy); });
}

GridLayout moment_layout(const KernelGeometry& geometry, double accuracy) {
  return layout_on(geometry,
                   [&](const WhitenedBox& box) { return GaussGrid::for_moments(box, geometry.size(), accuracy); });
}

GridOperator::GridOperator(KernelGeometry geometry, GridLayout layout)
    : geometry_(std::move(geometry)), all_on_grid_(Index(layout.sources.size()) == size()) {
  transform_ = transform_for(layout);
  if (!symmetric()) {
    take_out_weak_rows(layout);
  }
  exact_rows_ = complement(layout.targets, size());
  entries_ = entries_of(exact_rows_);
}

std::shared_ptr<const GaussTransform> GridOperator::transform_for(const GridLayout& layout) const {
  const auto sources = std::make_shared<const SlabCloud>(rows_of(geometry_.whitened_points(), layout.sources),
                                                         chosen(geometry_.order(), layout.sources), layout.grid);
  const auto targets = symmetric()
                           ? sources
                           : std::make_shared<const SlabCloud>(rows_of(geometry_.whitened_centres(), layout.targets),
                                                               chosen(geometry_.order(), layout.targets), layout.grid);
  return std::make_shared<const GaussTransform>(layout.grid, sources, targets);
}

void GridOperator::take_out_weak_rows(GridLayout& layout) {
  Block sums = Block::Zero(size(), 1);
  transform_->apply(Block::Ones(size(), 1), sums);
  const auto weak = [&](std::int32_t i) { return sums(geometry_.order()[std::size_t(i)], 0) < weak_row; };
  const auto kept = std::remove_if(layout.targets.begin(), layout.targets.end(), weak);
  if (kept != layout.targets.end()) {
    layout.targets.erase(kept, layout.targets.end());
    transform_ = transform_for(layout);
  }
}

std::vector<KernelEntry> GridOperator::entries_of(const std::vector<std::int32_t>& rows) const {
  return geometry_.entries_of(points_of(rows));
}

std::vector<Index> GridOperator::points_of(const std::vector<std::int32_t>& rows) const {
  std::vector<Index> points;
  for (const auto row : rows) {
    points.push_back(geometry_.order()[std::size_t(row)]);
  }
  return points;
}

void GridOperator::apply(PointsView x, Eigen::Ref<Block> y) const {
  if (!entries_.empty()) {
    y.setZero();  // rows that are not on the grid
  }
  transform_->apply(x, y);
  for (const KernelEntry& entry : entries_) {
    y.row(entry.row) += entry.value * x.row(entry.column);
  }
}

void GridOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  if (!all_on_grid_) {
    y.setZero();  // columns that are not on the grid: nobody may see them at all
  }
  transform_->apply_transpose(x, y);
  for (const KernelEntry& entry : entries_) {
    y.row(entry.column) += entry.value * x.row(entry.row);
  }
}

void GridOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  geometry_.row_products(rows, x, y);
}

void GridOperator::add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  geometry_.add_row_products_transpose(rows, x, y);
}

double GridOperator::accuracy() const { return std::exp(-geometry_.limit()); }

std::size_t GridOperator::memory() const {
  return geometry_.memory() + transform_->memory() + entries_.size() * sizeof(KernelEntry);
}

KernelGraph GridOperator::graph() const {
  KernelGraph graph = cell_graph(geometry_);
  graph.mean_neighbours = geometry_.sample().entries;
  return graph;
}

std::optional<std::vector<std::int32_t>> GridOperator::rows_of_their_own(std::span<const Index> exact) const {
  std::vector<std::int32_t> rows = exact_rows_;
  for (const Index point : exact) {
    rows.push_back(std::int32_t(geometry_.position(point)));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  // They are unknowns, and their entries part of every product.
  constexpr double most_entries_a_point = 20.0;
  if (double(rows.size()) > 0.1 * double(size()) ||
      double(rows.size()) * geometry_.sample().entries > most_entries_a_point * double(size())) {
    return {};
  }
  return rows;
}

std::shared_ptr<const CondensedOperator> GridOperator::condensed(const Vector& left, const Vector& right,
                                                                 std::span<const Index> exact) const {
  const auto rows = rows_of_their_own(exact);
  return rows ? CondensedGrid::build(transform_, left, right, points_of(*rows), entries_of(*rows)) : nullptr;
}

std::shared_ptr<const CondensedOperator> GridOperator::roughly_condensed(const Vector& scaling) const {
  const auto rows = rows_of_their_own({});
  if (!symmetric() || !rows) {
    return nullptr;
  }
  const GridLayout layout = moment_layout(geometry_, rough_accuracy);
  return std::isfinite(layout.grid.total())
             ? CondensedGrid::build(transform_for(layout), scaling, scaling, points_of(*rows), entries_of(*rows))
             : nullptr;
}

/// A point adds to every pair of grid points under its window, four at a time; a product visits each of them twice.
double GridOperator::condensing_cost() const {
  return std::pow(double(transform_->grid().width()), transform_->grid().dimension()) / 8.0;
}

}  // namespace itomap::detail
