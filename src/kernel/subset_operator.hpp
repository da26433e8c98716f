// A kernel on some of its points: the same entries, without computing any of them again.
//
// Products cost what those with the kernel of all points cost.
#pragma once

#include <memory>
#include <vector>

#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

class SubsetOperator final : public KernelOperator {
 public:
  SubsetOperator(std::shared_ptr<const KernelOperator> whole, std::vector<Index> points);

  Index size() const override { return Index(points_.size()); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  void add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  double accuracy() const override { return whole_->accuracy(); }
  bool symmetric() const override { return whole_->symmetric(); }
  bool cheap() const override { return whole_->cheap(); }
  std::size_t memory() const override { return whole_->memory(); }
  /// Not of the part: what was known of all points.
  KernelGraph graph() const override { return whole_->graph(); }
  /// That of all points, of which those that are not in the part weigh nothing.
  std::shared_ptr<const CondensedOperator> condensed(const Vector& left, const Vector& right,
                                                     std::span<const Index> exact) const override;
  double condensing_cost() const override { return whole_->condensing_cost(); }

 private:
  Block scattered(PointsView x) const;
  std::vector<Index> in_whole(std::span<const Index> rows) const;

  std::shared_ptr<const KernelOperator> whole_;
  std::vector<Index> points_;
};

}  // namespace itomap::detail
