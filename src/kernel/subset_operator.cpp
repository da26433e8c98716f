#include "kernel/subset_operator.hpp"

#include <utility>

namespace itomap::detail {
namespace {

Block among_all(PointsView x, const std::vector<Index>& points, Index size) {
  Block all = Block::Zero(size, x.cols());
  all(points, Eigen::all) = x;
  return all;
}

/// The condensed form of a kernel on all points, seen from some of them.
class CondensedSubset final : public CondensedOperator {
 public:
  CondensedSubset(std::shared_ptr<const CondensedOperator> whole, std::vector<Index> points, Index all)
      : whole_(std::move(whole)), points_(std::move(points)), all_(all) {}

  Index size() const override { return whole_->size(); }
  std::size_t memory() const override { return whole_->memory(); }
  void apply(PointsView u, Eigen::Ref<Block> v) const override { whole_->apply(u, v); }
  void apply_transpose(PointsView u, Eigen::Ref<Block> v) const override { whole_->apply_transpose(u, v); }
  Block expand(PointsView u) const override { return whole_->expand(u)(points_, Eigen::all); }
  Block expand_transpose(PointsView u) const override { return whole_->expand_transpose(u)(points_, Eigen::all); }
  Block condense(PointsView f) const override { return whole_->condense(among_all(f, points_, all_)); }
  Block condense_transpose(PointsView f) const override {
    return whole_->condense_transpose(among_all(f, points_, all_));
  }

 private:
  std::shared_ptr<const CondensedOperator> whole_;
  std::vector<Index> points_;
  Index all_;
};

}  // namespace

SubsetOperator::SubsetOperator(std::shared_ptr<const KernelOperator> whole, std::vector<Index> points)
    : whole_(std::move(whole)), points_(std::move(points)) {}

Block SubsetOperator::scattered(PointsView x) const { return among_all(x, points_, whole_->size()); }

std::vector<Index> SubsetOperator::in_whole(std::span<const Index> rows) const {
  std::vector<Index> numbers;
  for (const Index i : rows) {
    numbers.push_back(points_[std::size_t(i)]);
  }
  return numbers;
}

void SubsetOperator::apply(PointsView x, Eigen::Ref<Block> y) const {
  Block product(whole_->size(), x.cols());
  whole_->apply(scattered(x), product);
  y = product(points_, Eigen::all);
}

void SubsetOperator::apply_transpose(PointsView x, Eigen::Ref<Block> y) const {
  Block product(whole_->size(), x.cols());
  whole_->apply_transpose(scattered(x), product);
  y = product(points_, Eigen::all);
}

void SubsetOperator::apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  whole_->apply_rows(in_whole(rows), scattered(x), y);
}

void SubsetOperator::add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const {
  Block sums = Block::Zero(whole_->size(), x.cols());
  whole_->add_rows_transpose(in_whole(rows), scattered(x), sums);
  y += sums(points_, Eigen::all);
}

std::shared_ptr<const CondensedOperator> SubsetOperator::condensed(const Vector& left, const Vector& right,
                                                                   std::span<const Index> exact) const {
  auto whole = whole_->condensed(scattered(left), scattered(right), in_whole(exact));
  return whole ? std::make_shared<const CondensedSubset>(std::move(whole), points_, whole_->size()) : nullptr;
}

}  // namespace itomap::detail
