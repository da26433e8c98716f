#include "kernel/subset_operator.hpp"

#include <utility>

namespace itomap::detail {

SubsetOperator::SubsetOperator(std::shared_ptr<const KernelOperator> whole, std::vector<Index> points)
    : whole_(std::move(whole)), points_(std::move(points)) {}

Block SubsetOperator::scattered(PointsView x) const {
  Block all = Block::Zero(whole_->size(), x.cols());
  all(points_, Eigen::all) = x;
  return all;
}

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

}  // namespace itomap::detail
