#include "spectrum/small_components.hpp"

#include <algorithm>
#include <utility>

#include "spectrum/components.hpp"

namespace itomap::detail {

SmallComponents::SmallComponents(const std::vector<Index>& component, Index components, double fewest_points)
    : small_(std::size_t(components), false) {
  std::vector<std::vector<Index>> all(static_cast<std::size_t>(components));
  for (Index i = 0; i < Index(component.size()); ++i) {
    all[std::size_t(component[std::size_t(i)])].push_back(i);
  }
  const auto largest =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (auto c = all.begin(); c != all.end(); ++c) {
    if (c != largest && double(c->size()) < fewest_points) {
      small_[std::size_t(c - all.begin())] = true;
      points_ += Index(c->size());
      members_.push_back(std::move(*c));
    }
  }
}

std::vector<Index> SmallComponents::order(const Vector& weights) const {
  std::vector<Index> order = heaviest_first(weights);
  std::stable_partition(order.begin(), order.end(), [&](Index c) { return !is_small(c); });
  return order;
}

Vector SmallComponents::cleared(Vector values) const {
  for (const auto& points : members_) {
    values(points).setZero();
  }
  return values;
}

Block SmallComponents::cleared_rows(Block values) const {
  for (const auto& points : members_) {
    values(points, Eigen::all).setZero();
  }
  return values;
}

Block SmallComponents::large_parts(const Vector& values, const std::vector<Index>& component) const {
  std::vector<Index> column(small_.size(), -1);
  Index count = 0;
  for (std::size_t c = 0; c < small_.size(); ++c) {
    column[c] = small_[c] ? -1 : count++;
  }
  Block parts = Block::Zero(values.size(), count);
  for (Index i = 0; i < values.size(); ++i) {
    const Index c = column[std::size_t(component[std::size_t(i)])];
    if (c >= 0) {
      parts(i, c) = values[i];
    }
  }
  for (Index c = 0; c < count; ++c) {
    parts.col(c) /= parts.col(c).stableNorm();  // squares of a light component's weights may underflow
  }
  return parts;
}

LinearOperator SmallComponents::without(LinearOperator a) const {
  if (none()) {
    return a;
  }
  if (a.diagonal.size() > 0) {
    a.diagonal = cleared(std::move(a.diagonal));
  }
  for (const auto& points : members_) {
    a.absent.insert(a.absent.end(), points.begin(), points.end());
  }
  a.apply = [this, whole = std::move(a.apply)](PointsView x) -> Block {
    Block y = whole(cleared_rows(x));
    for (const auto& points : members_) {
      y(points, Eigen::all).setZero();
    }
    return y;
  };
  return a;
}

std::vector<Matrix> SmallComponents::matrices(const LinearOperator& a) const {
  std::size_t widest = 0;
  for (const auto& points : members_) {
    widest = std::max(widest, points.size());
  }
  // The k-th vector is 1 at the k-th point of every component: they do not see each other.
  Block units = Block::Zero(a.size, Index(widest));
  for (const auto& points : members_) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      units(points[k], Index(k)) = 1.0;
    }
  }
  const Block images = a.apply(units);
  std::vector<Matrix> matrices;
  for (const auto& points : members_) {
    matrices.emplace_back(images(points, Eigen::seqN(0, Index(points.size()))));
  }
  return matrices;
}

}  // namespace itomap::detail
