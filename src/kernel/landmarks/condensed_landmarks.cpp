#include "kernel/landmarks/condensed_landmarks.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "core/scaled_rows.hpp"

namespace itomap::detail {

CondensedLandmarks::CondensedLandmarks(std::shared_ptr<const LandmarkKernel> kernel, const Vector& left,
                                       const Vector& right, std::vector<Index> rows, std::vector<KernelEntry> entries)
    : kernel_(std::move(kernel)), left_(left), right_(right), rows_(std::move(rows)), entries_(std::move(entries)) {
  for (KernelEntry& e : entries_) {
    e.value *= left[e.row] * right[e.column];
    e.row = std::int32_t(std::lower_bound(rows_.begin(), rows_.end(), Index(e.row)) - rows_.begin());
  }
  left_(rows_).setZero();
  matrix_ = Matrix::Zero(nodes() + exact(), nodes() + exact());
  matrix_.topLeftCorner(nodes(), nodes()) = kernel_->moments(left_.cwiseProduct(right_));
  if (!rows_.empty()) {
    set_exact_blocks();
  }
}

void CondensedLandmarks::set_exact_blocks() {
  const KernelGeometry& g = kernel_->geometry();
  Block sources(nodes(), exact());
  Block reached = Block::Zero(nodes(), exact());
  std::vector<std::vector<const KernelEntry*>> of_row(rows_.size());
  for (const KernelEntry& e : entries_) {
    of_row[std::size_t(e.row)].push_back(&e);
  }
  parallel_chunks(exact(), 1, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Index point = rows_[std::size_t(k)];
      sources.col(k) = right_[point] * kernel_->row(KernelSide::Sources, g.position(point));
      for (const KernelEntry* e : of_row[std::size_t(k)]) {
        if (const double weight = e->value * left_[e->column]; weight != 0.0) {
          reached.col(k) += weight * kernel_->row(KernelSide::Targets, g.position(e->column));
        }
      }
    }
  });
  matrix_.topRightCorner(nodes(), exact()) = kernel_->whitened(sources);
  matrix_.bottomLeftCorner(exact(), nodes()) = kernel_->whitened(reached).transpose();
  for (const KernelEntry& e : entries_) {
    const auto column = std::lower_bound(rows_.begin(), rows_.end(), Index(e.column));
    if (column != rows_.end() && *column == e.column) {
      matrix_(nodes() + e.row, nodes() + (column - rows_.begin())) += e.value;
    }
  }
}

std::size_t CondensedLandmarks::memory() const {
  return std::size_t(matrix_.size() + left_.size() + right_.size()) * sizeof(double) +
         entries_.size() * sizeof(KernelEntry);
}

void CondensedLandmarks::apply(PointsView u, Eigen::Ref<Block> v) const {
  parallel_chunks(size(), 256, Operations{double(matrix_.size() * u.cols())}, [&](Index begin, Index end) {
    v.middleRows(begin, end - begin).noalias() = matrix_.middleRows(begin, end - begin) * u;
  });
}

void CondensedLandmarks::apply_transpose(PointsView u, Eigen::Ref<Block> v) const {
  parallel_chunks(size(), 256, Operations{double(matrix_.size() * u.cols())}, [&](Index begin, Index end) {
    v.middleRows(begin, end - begin).noalias() = matrix_.middleCols(begin, end - begin).transpose() * u;
  });
}

Block CondensedLandmarks::to_points(KernelSide side, PointsView u, const Vector& weights) const {
  Block f(weights.size(), u.cols());
  kernel_->spread(side, kernel_->unwhitened(u.topRows(nodes())), f);
  scale_rows(weights, f);
  return f;
}

Block CondensedLandmarks::to_landmarks(KernelSide side, PointsView f, const Vector& weights) const {
  Block u(size(), f.cols());
  u.topRows(nodes()) = kernel_->whitened(kernel_->gather(side, scaled_rows(weights, f)));
  u.bottomRows(exact()).setZero();
  return u;
}

Block CondensedLandmarks::expand(PointsView u) const {
  Block f = to_points(KernelSide::Targets, u, left_);
  f(rows_, Eigen::all) = u.bottomRows(exact());
  return f;
}

Block CondensedLandmarks::expand_transpose(PointsView u) const {
  Block f = to_points(KernelSide::Sources, u, right_);
  for (const KernelEntry& e : entries_) {
    f.row(e.column) += e.value * u.row(nodes() + e.row);
  }
  return f;
}

Block CondensedLandmarks::condense(PointsView f) const {
  Block u = to_landmarks(KernelSide::Sources, f, right_);
  for (const KernelEntry& e : entries_) {
    u.row(nodes() + e.row) += e.value * f.row(e.column);
  }
  return u;
}

Block CondensedLandmarks::condense_transpose(PointsView f) const {
  Block u = to_landmarks(KernelSide::Targets, f, left_);
  u.bottomRows(exact()) = f(rows_, Eigen::all);
  return u;
}

}  // namespace itomap::detail
