// The kernel of the landmarks engine in as many unknowns as there are landmarks.
//
// K = T K_zz^-1 S^T with K_zz = F F^T, and the rows E of some points I that are given entry by entry:
//
//   L = [ l T F^-T | e_I ],    R = [ F^-1 S^T r ]        R L = [ F^-1 M F^-T     F^-1 S^T r e_I ]
//                                  [    l E r   ]              [ l E r l T F^-T  l E r e_I      ]
//
// where l is taken as 0 at I in the left column, and M = S^T diag(r l) T, a sum over the points, is all that is left of
// the others. R L is kept as a matrix.
#pragma once

#include <memory>
#include <vector>

#include "kernel/condensed_operator.hpp"
#include "kernel/kernel_entry.hpp"
#include "kernel/landmarks/landmark_kernel.hpp"

namespace itomap::detail {

class CondensedLandmarks final : public CondensedOperator {
 public:
  /// `rows`: the points I; `entries`: of those rows of K.
  CondensedLandmarks(std::shared_ptr<const LandmarkKernel> kernel, const Vector& left, const Vector& right,
                     std::vector<Index> rows, std::vector<KernelEntry> entries);

  Index size() const override { return matrix_.rows(); }
  std::size_t memory() const override;
  void apply(PointsView u, Eigen::Ref<Block> v) const override;
  void apply_transpose(PointsView u, Eigen::Ref<Block> v) const override;
  Block expand(PointsView u) const override;
  Block expand_transpose(PointsView u) const override;
  Block condense(PointsView f) const override;
  Block condense_transpose(PointsView f) const override;

 private:
  Index nodes() const { return kernel_->landmarks(); }
  Index exact() const { return Index(rows_.size()); }
  void set_exact_blocks();
  Block to_points(KernelSide side, PointsView u, const Vector& weights) const;
  Block to_landmarks(KernelSide side, PointsView f, const Vector& weights) const;

  std::shared_ptr<const LandmarkKernel> kernel_;
  Vector left_;  // 0 at I
  Vector right_;
  std::vector<Index> rows_;
  std::vector<KernelEntry> entries_;  // of l E r, rows counted in rows_
  Matrix matrix_;                     // R L
};

}  // namespace itomap::detail
