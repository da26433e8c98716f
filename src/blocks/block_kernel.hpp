// The kernel, its density and its weights from sums over blocks: what a Generator is in memory.
//
//   pass 1  extent    where the points lie, the largest log pi
//   pass 2  density   C^T 1, so that q = C G C^T 1 is known everywhere; cells, a sample of rows
//   pass 3  weights   C_s^T d, so that K d = C_t G C_s^T d is
//   pass 4  moments   M = C_s^T diag(d / K d) C_t, and sums of the invariant measure
//
// Nothing of a point is kept: q, d and K d are gathered anew wherever they are needed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "blocks/cell_counts.hpp"
#include "blocks/frame.hpp"
#include "blocks/grid_tools.hpp"
#include "blocks/passes.hpp"
#include "itomap/blocks/block_map.hpp"
#include "kernel/grid/moment_matrix.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

/// One block as the passes see it.
struct BlockData {
  Points rows;
  Vector log_target;  ///< TMDmap, less the largest of all points
  std::unique_ptr<const SlabCloud> density;
  std::unique_ptr<const SlabCloud> own_sources;  ///< none where the density's will do
  std::unique_ptr<const SlabCloud> own_targets;  ///< likewise, that of the sources

  const SlabCloud& sources() const { return own_sources ? *own_sources : *density; }
  const SlabCloud& targets() const { return own_targets ? *own_targets : sources(); }
};

/// At the points of a block.
struct BlockWeights {
  Vector density;    ///< q
  Vector weights;    ///< d
  Vector row_sums;   ///< K d
  Vector rows_hold;  ///< K 1, LKDmap
};

class BlockKernel {
 public:
  /// Runs the passes. Throws NotInBlocks as soon as one shows that it has to be.
  BlockKernel(const BlockInput& input, const BlockPasses& passes);

  bool reversible() const { return !input_.definition.local(); }
  Index points() const { return passes_.points(); }
  double epsilon() const { return epsilon_; }
  double density_epsilon() const { return density_epsilon_; }
  double mean_neighbours() const { return mean_neighbours_; }
  double intrinsic_dimension() const { return intrinsic_dimension_; }
  /// Points whose row is lost in the accuracy of the grid, and what to say of it.
  Index lost_points() const { return lost_points_; }
  bool lost(double row_sum) const { return row_sum < lost_below_; }
  /// Bytes of grids and moments.
  std::size_t memory() const;
  const GridTools& grid() const { return *grid_; }

  BlockData read(const BlockRange& block) const;
  BlockWeights weights(const BlockData& data) const;

  /// H M H, and its transpose.
  LinearOperator condensed(bool transposed) const;
  /// H C_s^T d, the right zero mode of it.
  const Block& zero_mode() const { return zero_mode_; }
  /// Sum of d (K d): what makes weights of a reversible map out of it.
  double total_weight() const { return total_weight_; }
  /// Effective number of points of a reversible map's invariant measure.
  double effective_points() const { return effective_points_; }

 private:
  struct Sample;

  void set_frames();
  void find_extent();
  void set_grids();
  void sum_density();
  void sum_weights();
  void sum_moments();

  GaussGrid grid_for(const KernelFrame& frame, WhitenedBox box, bool moved) const;
  void add_sample(const BlockRange& block, const Points& rows, const Sample& sample, Vector& numbers) const;
  Points read_rows(const Trajectory& file, const BlockRange& block) const;
  Points steps(const BlockRange& block) const;
  Vector log_weights(const Vector& density, const BlockData& data) const;
  double moment_budget() const;

  const BlockInput& input_;
  const BlockPasses& passes_;
  double epsilon_;
  double density_epsilon_;
  std::optional<KernelFrame> frame_;
  std::optional<KernelFrame> density_frame_;  // none where it is the same
  WhitenedBox box_;
  WhitenedBox density_box_;
  double largest_log_target_ = 0.0;
  std::unique_ptr<const GridTools> grid_;
  std::unique_ptr<const GridTools> own_density_grid_;
  GridField density_field_;  // q, and K d of a reversible map
  GridField row_field_;      // K d and K 1 of LKDmap
  std::vector<double> density_sums_;
  std::vector<double> one_sums_;
  std::vector<double> weight_sums_;
  Block zero_mode_;
  std::unique_ptr<MomentMatrix> moments_;
  std::unique_ptr<MomentMatrix> transposed_moments_;
  double mean_neighbours_ = 0.0;
  double intrinsic_dimension_ = 0.0;
  double lost_below_ = 0.0;
  Index lost_points_ = 0;
  double total_weight_ = 0.0;
  double effective_points_ = 0.0;
};

}  // namespace itomap::detail
