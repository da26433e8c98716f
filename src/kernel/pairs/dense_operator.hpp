// The `dense` engine: every pair is recomputed in every product, and nothing is stored but the points.
//
// Right where a row holds a large share of all points: a block of vectors shares one evaluation of the kernel. Entries
// below the cut-off are left out, as they are by every row: a light point whose heavy neighbours lie just beyond it
// would else see them in products alone. Periodic coordinates and a variable bandwidth take a slower way, row by row.
#pragma once

#include <optional>

#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"
#include "kernel/pairs/pair_tiles.hpp"

namespace itomap::detail {

class DenseOperator final : public KernelOperator {
 public:
  explicit DenseOperator(KernelGeometry geometry);

  Index size() const override { return geometry_.size(); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  bool symmetric() const override { return geometry_.symmetric(); }
  bool cheap() const override { return false; }
  std::size_t memory() const override;
  KernelGraph graph() const override;

 private:
  /// Entries of row i in columns [begin, end), summed over images.
  void entries(Index i, Index begin, Index end, KernelRow& scratch, double* values) const;
  /// Row i times X, whose rows are in the geometry's order.
  Eigen::RowVectorXd image_row(Index i, const Block& sorted, KernelRow& scratch) const;
  void apply_images(PointsView x, Eigen::Ref<Block> y) const;
  void apply_images_transpose(PointsView x, Eigen::Ref<Block> y) const;

  KernelGeometry geometry_;
  Vector log_scale_;                // exponent taken off each stranded row; empty for a symmetric kernel
  std::optional<PairTiles> tiles_;  // none for periodic coordinates
};

}  // namespace itomap::detail
