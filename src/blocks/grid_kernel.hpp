// Points in blocks on a grid.
//
//   pass 1  extent    where the points lie, the largest log pi
//   pass 2  density   C^T 1, so that q = C G C^T 1 is known everywhere; cells, a sample of rows
//   pass 3  weights   C_s^T d, so that K d = C_t G C_s^T d is
//   pass 4  moments   M = C_s^T diag(d / K d) C_t, and sums of the invariant measure
#pragma once

#include <memory>
#include <vector>

#include "blocks/block_kernel.hpp"
#include "blocks/cell_counts.hpp"
#include "blocks/grid_tools.hpp"
#include "kernel/grid/moment_matrix.hpp"

namespace itomap::detail {

class GridKernel final : public BlockKernel {
 public:
  /// Runs the passes. Throws NotInBlocks as soon as one shows that it has to be.
  GridKernel(const BlockInput& input, const BlockPasses& passes);

  KernelPlan plan() const override;
  std::unique_ptr<const BlockData> read(const BlockRange& block) const override;
  BlockWeights weights(const BlockData& data) const override;
  bool lost(const BlockWeights& w, Index i) const override { return w.row_sums[i] < lost_below_; }
  /// H M H, and its transpose.
  LinearOperator condensed(bool transposed) const override;
  std::unique_ptr<const NodeFields> fields(PointsView u) const override;
  Block gathered(const BlockData& data, BlockSide side, const NodeFields& fields) const override;

 private:
  struct Sample;
  struct Clouds;
  struct Fields;

  void find_extent();
  void set_grids();
  void sum_density();
  void sum_weights();
  void sum_moments();

  GaussGrid grid_for(const KernelFrame& frame, const WhitenedBox& box) const;
  std::unique_ptr<const Clouds> clouds(const BlockRange& block) const;
  void add_sample(const BlockRange& block, const Points& rows, const Sample& sample, Vector& numbers) const;
  double moment_budget() const;
  std::size_t memory() const;

  WhitenedBox box_;
  WhitenedBox density_box_;
  std::unique_ptr<const GridTools> grid_;
  std::unique_ptr<const GridTools> own_density_grid_;
  GridField density_field_;  // q, and K d of a reversible map
  GridField row_field_;      // K d and K 1 of LKDmap
  std::vector<double> density_sums_;
  std::vector<double> one_sums_;
  std::vector<double> weight_sums_;
  std::unique_ptr<MomentMatrix> moments_;
  std::unique_ptr<MomentMatrix> transposed_moments_;
  double lost_below_ = 0.0;
};

}  // namespace itomap::detail
