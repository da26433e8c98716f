// The kernel, its density and its weights from sums over blocks: what a Generator is in memory.
//
// Nothing of a point is kept: q, d and K d are computed anew wherever they are needed, from sums over all points that a
// few passes make. An engine says which sums these are: grid_kernel.hpp up to three dimensions, landmark_blocks.hpp in
// any. Both write the map as L R with as many columns as they have nodes, and leave a small problem:
//
//   P = L R,  L = diag(1 / K d) T F,  R = F^T S^T diag(d),        R L u = mu u   =>   psi = L u, phi = R^T v
//
// with G = F F^T between the nodes.
#pragma once

#include <memory>
#include <optional>

#include "blocks/frame.hpp"
#include "blocks/passes.hpp"
#include "itomap/blocks/block_map.hpp"
#include "itomap/kernel/plan.hpp"
#include "solvers/linear_operator.hpp"

namespace itomap::detail {

/// One block as the passes see it; engines add their own.
struct BlockData {
  Points rows;
  Vector log_target;  ///< TMDmap, less the largest of all points

  BlockData() = default;
  BlockData(const BlockData&) = delete;
  BlockData& operator=(const BlockData&) = delete;
  virtual ~BlockData() = default;
};

/// At the points of a block.
struct BlockWeights {
  Vector density;    ///< q
  Vector weights;    ///< d
  Vector row_sums;   ///< K d
  Vector rows_hold;  ///< K 1, LKDmap
};

/// Vectors on the nodes, ready to be gathered at points by several threads at once.
struct NodeFields {
  explicit NodeFields(Index count) : columns(count) {}
  NodeFields(const NodeFields&) = delete;
  NodeFields& operator=(const NodeFields&) = delete;
  virtual ~NodeFields() = default;

  Index columns;
};

/// S and T: the kernels at the points, and at where their steps end.
enum class BlockSide { Sources, Targets };

class BlockKernel {
 public:
  virtual ~BlockKernel() = default;
  BlockKernel(const BlockKernel&) = delete;
  BlockKernel& operator=(const BlockKernel&) = delete;

  bool reversible() const { return !input_.definition.local(); }
  Index points() const { return passes_.points(); }
  double epsilon() const { return epsilon_; }
  double density_epsilon() const { return density_epsilon_; }
  double mean_neighbours() const { return mean_neighbours_; }
  double intrinsic_dimension() const { return intrinsic_dimension_; }
  /// Points whose row is lost in the accuracy of the engine.
  Index lost_points() const { return lost_points_; }
  /// Sum of d (K d): what makes weights of a reversible map out of it.
  double total_weight() const { return total_weight_; }
  /// Effective number of points of a reversible map's invariant measure.
  double effective_points() const { return effective_points_; }
  /// R 1, the right zero mode of R L.
  const Block& zero_mode() const { return zero_mode_; }
  Index nodes() const { return zero_mode_.rows(); }

  virtual KernelPlan plan() const = 0;
  virtual std::unique_ptr<const BlockData> read(const BlockRange& block) const = 0;
  virtual BlockWeights weights(const BlockData& data) const = 0;
  /// Whether functions at the i-th point of a block are lost in the accuracy of the engine.
  virtual bool lost(const BlockWeights& w, Index i) const = 0;
  /// R L, and its transpose.
  virtual LinearOperator condensed(bool transposed) const = 0;
  /// F u for each column u, and its values at the points of a block: T F u or S F u.
  virtual std::unique_ptr<const NodeFields> fields(PointsView u) const = 0;
  virtual Block gathered(const BlockData& data, BlockSide side, const NodeFields& fields) const = 0;

 protected:
  BlockKernel(const BlockInput& input, const BlockPasses& passes);

  const BlockInput& input() const { return input_; }
  const BlockPasses& passes() const { return passes_; }
  /// Of K and of the density; those of a reversible map are the same.
  const KernelFrame& frame() const { return *frame_; }
  const KernelFrame& density_frame() const { return density_frame_ ? *density_frame_ : *frame_; }
  bool own_density_frame() const { return density_frame_.has_value(); }

  Points read_rows(const Trajectory& file, const BlockRange& block) const;
  Points steps(const BlockRange& block) const;
  /// log of the largest target of a block; InvalidArgument if one has no logarithm.
  double largest_log_target(const BlockRange& block) const;
  void read_into(const BlockRange& block, BlockData& data) const;
  /// d, at points with this density.
  Vector block_weights(const Vector& density, const BlockData& data) const;

  /// Whether moments go without this row, which may be anything.
  virtual bool left_out(const BlockWeights& w, Index i) const { return lost(w, i); }
  /// Numbers of a block in the pass that sums moments; add_measure fills them and returns the factors d / K d.
  enum MeasureNumber : Index { Total, Squares, Lost, Weak, MeasureNumbers };
  Vector add_measure(const BlockWeights& w, Vector& numbers) const;
  /// Takes over what that pass has found; NotInBlocks if points have to be looked at one by one.
  void set_measure(const PassTotals& totals);

  void set_largest_log_target(double value) { largest_log_target_ = value; }
  void set_neighbours(double mean, double dimension) {
    mean_neighbours_ = mean;
    intrinsic_dimension_ = dimension;
  }
  void set_zero_mode(Block zero_mode) { zero_mode_ = std::move(zero_mode); }

 private:
  void set_frames();
  Vector log_weights(const Vector& density, const BlockData& data) const;

  const BlockInput& input_;
  const BlockPasses& passes_;
  double epsilon_;
  double density_epsilon_;
  std::optional<KernelFrame> frame_;
  std::optional<KernelFrame> density_frame_;  // none where it is the same
  double largest_log_target_ = 0.0;
  double mean_neighbours_ = 0.0;
  double intrinsic_dimension_ = 0.0;
  Index lost_points_ = 0;
  double total_weight_ = 0.0;
  double effective_points_ = 0.0;
  Block zero_mode_;
};

/// The engine that points in blocks have: the grid up to three dimensions, unless landmarks are asked for.
Engine block_engine(const MapDefinition& definition, Index dimension);

/// Runs the passes. Throws NotInBlocks as soon as one shows that it has to be.
std::unique_ptr<const BlockKernel> make_block_kernel(const BlockInput& input, const BlockPasses& passes);

}  // namespace itomap::detail
