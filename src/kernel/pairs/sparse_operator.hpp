// The `sparse` engine: all kernel entries above the cut-off, stored.
//
// Points are cut into blocks, and the matrix into panels, one for each pair of blocks that see each other. Panels are
// filled independently, so assembly is threaded and never holds the matrix twice. Of a symmetric kernel what lies right
// of the diagonal tiles of 64 points is kept, and used both ways. Of any other kernel everything is kept, once:
// transposed products use the same panels. Sums are taken in the same order for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/pair_schedule.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/kernel_operator.hpp"
#include "kernel/pairs/pair_tiles.hpp"
#include "kernel/pairs/panel.hpp"

namespace itomap::detail {

/// Sets the entries of a row in columns >= first, or in all, in the order that the operator has.
using RowSource = std::function<void(Index i, Index first, KernelRow& row)>;

class SparseOperator final : public KernelOperator {
 public:
  SparseOperator(const KernelGeometry& geometry, const KernelOptions& options);
  /// A symmetric kernel whose rows come from elsewhere; row k is that of the caller's point order[k].
  SparseOperator(std::vector<std::int32_t> order, const RowSource& rows, const KernelOptions& options);

  Index size() const override { return Index(order_.size()); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  bool symmetric() const override { return symmetric_; }
  bool cheap() const override { return false; }
  std::size_t memory() const override;
  KernelGraph graph() const override;

  /// Bytes for so many points and entries above the cut-off a row.
  static double predicted_bytes(double points, double entries_a_row, bool symmetric, bool single_precision = false);

 private:
  Index blocks() const { return (size() + block_ - 1) / block_; }
  Index block_end(Index a) const { return std::min(size(), (a + 1) * block_); }
  std::int32_t number(Index a, Index b) const { return number_[std::size_t(a * blocks() + b)]; }
  /// Null if no row of block a sees block b.
  const Panel* panel(Index a, Index b) const;

  void assemble(const KernelGeometry& geometry, VectorView log_scale);
  void assemble_rows(const RowSource& source);
  void schedule();
  void add_panel(Index a, Index b);
  void fill(const PairTiles& tiles, double cutoff, Index a, Index b);
  void fill(const RowSource& source, Index a);

  void multiply(bool transposed, const Slabs& x, Slabs& y) const;

  /// Entries of each row.
  std::vector<std::int32_t> count_rows() const;
  /// Whether the only entry of a row is that of its own point.
  std::vector<bool> rows_alone(std::span<const std::int32_t> counts) const;
  /// Calls body(panel) for all panels, those near the diagonal first, as long as it returns true.
  template <class Body>
  void for_panels(const Body& body) const;

  /// Calls body(row, column, value) for all entries of block a of the rows.
  template <class Body>
  void for_block_entries(Index a, const Body& body) const;

  std::vector<std::int32_t> order_;
  std::vector<bool> stranded_;  // empty if none is
  bool symmetric_;
  bool single_precision_;
  Index block_;  // points in a block, whole tiles
  std::vector<Panel> panels_;
  std::vector<Panel> diagonal_;       // the diagonal tiles of each block of a symmetric kernel, whole
  std::vector<std::int32_t> number_;  // of panel (a, b), at a * blocks + b; -1 for none
  PairSchedule schedule_;             // of the panels of a symmetric kernel
};

}  // namespace itomap::detail
