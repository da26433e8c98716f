// The `landmarks` engine: any dimension, in memory that does not grow with the number of pairs.
//
// The kernel is interpolated between landmarks (landmark_kernel.hpp), centres of clusters of the points (centres.hpp).
// Points that no landmark sees well, outliers, become landmarks of their own; rows of a local kernel that sum to next
// to nothing are computed from their own entries. How far the kernel is off is measured on a sample of rows
// (landmark_error.hpp); where the number of landmarks is left open it is doubled until that is small enough.
#pragma once

#include <memory>
#include <vector>

#include "kernel/kernel_entry.hpp"
#include "kernel/kernel_operator.hpp"
#include "kernel/landmarks/landmark_error.hpp"
#include "kernel/landmarks/landmark_kernel.hpp"

namespace itomap::detail {

class LandmarkOperator final : public KernelOperator {
 public:
  /// `landmarks`: how many; 0: doubled until mean squared steps are right to `tolerance`, or there are most_landmarks.
  /// Throws InvalidArgument if there are more outliers than can be landmarks of their own.
  LandmarkOperator(KernelGeometry geometry, Index landmarks, double tolerance);

  /// Why a kernel cannot be held; nothing if it can.
  static const char* unsuited(const KernelGeometry& geometry);
  static double predicted_bytes(const KernelGeometry& geometry, Index landmarks);

  Index size() const override { return kernel_->points(); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  void add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  /// Where the kernel itself is only so good, sums need not exceed the errors of their entries by five digits, as
  /// `small_rows` has it, but three times over: below that, errors may make them anything, also negative.
  double accuracy() const override { return 3e-5 * error_.entries; }
  bool symmetric() const override { return kernel_->geometry().symmetric(); }
  bool cheap() const override { return false; }
  std::size_t memory() const override;
  KernelGraph graph() const override;
  std::shared_ptr<const CondensedOperator> condensed(const Vector& left, const Vector& right,
                                                     std::span<const Index> exact) const override;

  Index landmarks() const { return kernel_->landmarks(); }
  const LandmarkError& error() const { return error_; }

 private:
  void join_components(LandmarkKernel& kernel);
  void add_outliers(LandmarkKernel& kernel);
  void find_weak_rows();

  std::shared_ptr<LandmarkKernel> kernel_;
  LandmarkError error_;
  std::vector<Index> seen_as_source_;  // of each stored point: the component of the landmarks that it sees, or none
  std::vector<Index> seen_as_target_;
  std::vector<Index> exact_rows_;     // the caller's points whose rows are from their own entries, ascending
  std::vector<KernelEntry> entries_;  // of those rows
};

}  // namespace itomap::detail
