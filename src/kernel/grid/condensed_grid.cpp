#include "kernel/grid/condensed_grid.hpp"

#include <algorithm>
#include <utility>

#include "core/circles.hpp"
#include "core/scaled_rows.hpp"

namespace itomap::detail {
namespace {

/// Entries of the moment matrix a point up to which its products are cheaper than those with the transform, and its
/// memory less than that of the basis of an eigensolver on the points.
constexpr double most_moments_a_point = 100.0;

/// The points of a cloud that are listed, numbered as in the list.
std::unique_ptr<const SlabCloud> part_of(const SlabCloud& cloud, const std::vector<Index>& points, Index size) {
  constexpr std::int32_t absent = -1;
  std::vector<std::int32_t> numbers(std::size_t(size), absent);
  for (std::size_t k = 0; k < points.size(); ++k) {
    numbers[std::size_t(points[k])] = std::int32_t(k);
  }
  return std::make_unique<const SlabCloud>(cloud.part(numbers));
}

}  // namespace

std::shared_ptr<const CondensedOperator> CondensedGrid::build(std::shared_ptr<const GaussTransform> transform,
                                                              const Vector& left, const Vector& right,
                                                              std::vector<Index> rows,
                                                              const std::vector<KernelEntry>& entries) {
  const std::shared_ptr<CondensedGrid> condensed(
      new CondensedGrid(std::move(transform), left, right, std::move(rows), entries));
  const bool fewer = 2 * condensed->size() < left.size();
  return fewer && condensed->set_moments() ? condensed : nullptr;
}

CondensedGrid::CondensedGrid(std::shared_ptr<const GaussTransform> transform, const Vector& left, const Vector& right,
                             std::vector<Index> rows, const std::vector<KernelEntry>& entries)
    : transform_(std::move(transform)),
      spreader_(transform_->grid()),
      one_sided_(transform_->targets() != transform_->sources()),
      node_grid_(one_sided_ ? NodeGrid(transform_->grid(), *transform_->targets(), left.size())
                            : NodeGrid(transform_->grid())),
      left_(left),
      right_(right),
      rows_(std::move(rows)) {
  left_(rows_).setZero();
  if (!rows_.empty()) {
    set_exact_rows(left, entries);
    row_sources_ = part_of(*transform_->sources(), rows_, left_.size());
    reached_targets_ = part_of(*transform_->targets(), reached_, left_.size());
  }
}

void CondensedGrid::set_exact_rows(const Vector& left, const std::vector<KernelEntry>& entries) {
  constexpr std::int32_t absent = -1;
  std::vector<std::int32_t> row(std::size_t(left_.size()), absent);
  std::vector<std::int32_t> reached(std::size_t(left_.size()), absent);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    row[std::size_t(rows_[k])] = std::int32_t(k);
  }
  for (const KernelEntry& entry : entries) {
    const auto i = std::size_t(entry.row);
    const auto j = std::size_t(entry.column);
    const double value = left[entry.row] * entry.value * right_[entry.column];
    if (row[j] != absent) {
      among_rows_.push_back({row[i], row[j], value});
      continue;
    }
    if (reached[j] == absent) {
      reached[j] = std::int32_t(reached_.size());
      reached_.push_back(entry.column);
    }
    to_reached_.push_back({row[i], reached[j], value});
  }
}

bool CondensedGrid::set_moments() {
  const SlabCloud& sources = *transform_->sources();
  const SlabCloud& targets = *transform_->targets();
  const Vector weights = left_.cwiseProduct(right_);
  const double most = most_moments_a_point * double(left_.size());
  moments_ = MomentMatrix::build(transform_->grid(), spreader_, sources, targets, weights, most);
  if (moments_ != nullptr && &sources != &targets) {
    transposed_moments_ = MomentMatrix::build(transform_->grid(), spreader_, targets, sources, weights, most);
  }
  return moments_ != nullptr && (&sources == &targets || transposed_moments_ != nullptr);
}

std::size_t CondensedGrid::memory() const {
  return moments_->memory() + (transposed_moments_ ? transposed_moments_->memory() : 0) +
         (to_reached_.size() + among_rows_.size()) * sizeof(Entry) +
         std::size_t(left_.size() + right_.size()) * sizeof(double);
}

Points CondensedGrid::places() const {
  const GaussGrid& grid = transform_->grid();
  Points positions(nodes(), grid.dimension());
  for (Index n = 0; n < nodes(); ++n) {
    positions.row(n) = grid.position(node_grid_.stored()[std::size_t(n)]);
  }
  return on_circles(positions, grid.period());
}

CondensedGrid::Buffer CondensedGrid::on_grid(PointsView u, Index column, bool transposed) const {
  return one_sided_ && !transposed ? node_grid_.plain(u, column) : node_grid_.filtered(u, column);
}

void CondensedGrid::take(std::complex<double>* grid, Index column, bool transposed, Eigen::Ref<Block> u) const {
  if (one_sided_ && transposed) {
    node_grid_.take(grid, column, u);
  } else {
    node_grid_.take_filtered(grid, column, u);
  }
}

void CondensedGrid::grid_product(PointsView u, Index column, bool transposed, const SlabCloud* added,
                                 const Block& added_values, const SlabCloud* seen, Block& seen_values,
                                 Eigen::Ref<Block> v) const {
  const Buffer x = on_grid(u, column, transposed);
  if (seen != nullptr) {
    spreader_.gather(*seen, x.get(), 0, seen_values);
  } else {
    spreader_.fill_margins(x.get());
  }
  const Buffer y = node_grid_.zeros();
  (transposed && transposed_moments_ ? *transposed_moments_ : *moments_).apply(x.get(), y.get());
  if (added != nullptr) {
    spreader_.spread(*added, added_values, 0, y.get());
  } else {
    spreader_.fold_margins(y.get());
  }
  take(y.get(), column, transposed, v);
}

void CondensedGrid::apply(PointsView u, Eigen::Ref<Block> v) const {
  for (Index column = 0; column < u.cols(); column += spread_lanes) {
    const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
    const Block z = u.block(nodes(), column, exact(), lanes);
    const Block weighted = right_(rows_).asDiagonal() * z;
    Block seen = Block::Zero(Index(reached_.size()), lanes);
    grid_product(u, column, false, row_sources_.get(), weighted, reached_targets_.get(), seen, v);
    seen = left_(reached_).asDiagonal() * seen;
    auto out = v.block(nodes(), column, exact(), lanes);
    out.setZero();
    for (const Entry& e : to_reached_) {
      out.row(e.row) += e.value * seen.row(e.column);
    }
    for (const Entry& e : among_rows_) {
      out.row(e.row) += e.value * z.row(e.column);
    }
  }
}

void CondensedGrid::apply_transpose(PointsView u, Eigen::Ref<Block> v) const {
  for (Index column = 0; column < u.cols(); column += spread_lanes) {
    const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
    const Block z = u.block(nodes(), column, exact(), lanes);
    Block reached = Block::Zero(Index(reached_.size()), lanes);
    for (const Entry& e : to_reached_) {
      reached.row(e.column) += e.value * z.row(e.row);
    }
    reached = left_(reached_).asDiagonal() * reached;
    Block seen = Block::Zero(exact(), lanes);
    grid_product(u, column, true, reached_targets_.get(), reached, row_sources_.get(), seen, v);
    auto out = v.block(nodes(), column, exact(), lanes);
    out = right_(rows_).asDiagonal() * seen;
    for (const Entry& e : among_rows_) {
      out.row(e.column) += e.value * z.row(e.row);
    }
  }
}

Block CondensedGrid::to_points(PointsView u, bool transposed) const {
  const SlabCloud& cloud = transposed ? *transform_->sources() : *transform_->targets();
  const Vector& weights = transposed ? right_ : left_;
  Block f = Block::Zero(weights.size(), u.cols());
  for (Index column = 0; column < u.cols(); column += spread_lanes) {
    const Buffer grid = on_grid(u, column, transposed);
    spreader_.gather(cloud, grid.get(), column, f);
  }
  scale_rows(weights, f);
  return f;
}

Block CondensedGrid::to_grid(PointsView f, bool transposed) const {
  const SlabCloud& cloud = transposed ? *transform_->targets() : *transform_->sources();
  const Block weighted = scaled_rows(transposed ? left_ : right_, f);
  Block u(size(), f.cols());
  for (Index column = 0; column < f.cols(); column += spread_lanes) {
    const Buffer grid = node_grid_.zeros();
    spreader_.spread(cloud, weighted, column, grid.get());
    take(grid.get(), column, transposed, u);
  }
  return u;
}

Block CondensedGrid::expand(PointsView u) const {
  Block f = to_points(u, false);
  f(rows_, Eigen::all) = u.bottomRows(exact());
  return f;
}

Block CondensedGrid::expand_transpose(PointsView u) const {
  Block f = to_points(u, true);
  for (const Entry& e : to_reached_) {
    f.row(reached_[std::size_t(e.column)]) += e.value * u.row(nodes() + e.row);
  }
  for (const Entry& e : among_rows_) {
    f.row(rows_[std::size_t(e.column)]) += e.value * u.row(nodes() + e.row);
  }
  return f;
}

Block CondensedGrid::condense(PointsView f) const {
  Block u = to_grid(f, false);
  u.bottomRows(exact()).setZero();
  for (const Entry& e : to_reached_) {
    u.row(nodes() + e.row) += e.value * f.row(reached_[std::size_t(e.column)]);
  }
  for (const Entry& e : among_rows_) {
    u.row(nodes() + e.row) += e.value * f.row(rows_[std::size_t(e.column)]);
  }
  return u;
}

Block CondensedGrid::condense_transpose(PointsView f) const {
  Block u = to_grid(f, true);
  u.bottomRows(exact()) = f(rows_, Eigen::all);
  return u;
}

}  // namespace itomap::detail
