// The `grid` engine: products with a kernel of constant metric in one to three dimensions by the fast Gauss transform.
//
// The cost does not depend on how many neighbours a point has. Every entry is right to the cut-off, relative to the
// largest, 1. That is enough for products; where a whole row is small, its own entries are taken instead:
//   - rows of a local kernel that lie outside the data or sum to less than `weak_row`,
//   - points far outside of all others, which would stretch the grid over empty space.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernel/grid/condensed_grid.hpp"
#include "kernel/grid/gauss_transform.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"

namespace itomap::detail {

/// Which points go onto the grid, and the grid.
struct GridLayout {
  GaussGrid grid;
  std::vector<std::int32_t> sources;  ///< stored points on the grid
  std::vector<std::int32_t> targets;  ///< stored points whose row is computed on it

  /// Bytes of the operator, the geometry included.
  double predicted_bytes(const KernelGeometry& geometry) const;
};

/// The geometry must be whitenable and of at most three dimensions. Fails over to nothing: an impossible grid has
/// infinite size.
GridLayout grid_layout(const KernelGeometry& geometry);
/// The same points on the cheapest grid for a moment matrix, right to `accuracy`.
GridLayout moment_layout(const KernelGeometry& geometry, double accuracy);

class GridOperator final : public KernelOperator {
 public:
  GridOperator(KernelGeometry geometry, GridLayout layout);

  Index size() const override { return geometry_.size(); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  void add_rows_transpose(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  double accuracy() const override;
  bool symmetric() const override { return geometry_.symmetric(); }
  bool cheap() const override { return true; }
  std::size_t memory() const override;
  KernelGraph graph() const override;
  std::shared_ptr<const CondensedOperator> condensed(const Vector& left, const Vector& right,
                                                     std::span<const Index> exact) const override;
  std::shared_ptr<const CondensedOperator> roughly_condensed(const Vector& scaling) const override;
  double condensing_cost() const override;

 private:
  std::shared_ptr<const GaussTransform> transform_for(const GridLayout& layout) const;
  /// Of a condensed form, stored rows that are unknowns of their own; nothing if they would be too many.
  std::optional<std::vector<std::int32_t>> rows_of_their_own(std::span<const Index> exact) const;
  void take_out_weak_rows(GridLayout& layout);
  /// All entries of the rows of these stored points.
  std::vector<KernelEntry> entries_of(const std::vector<std::int32_t>& rows) const;
  /// Stored points as the caller numbers them.
  std::vector<Index> points_of(const std::vector<std::int32_t>& rows) const;

  KernelGeometry geometry_;
  bool all_on_grid_;                      // as sources: outliers are not
  std::vector<std::int32_t> exact_rows_;  // stored points whose row is not computed on the grid
  std::vector<KernelEntry> entries_;      // of those rows
  std::shared_ptr<const GaussTransform> transform_;
};

}  // namespace itomap::detail
