// The `sparse` engine: all kernel entries above the cut-off, stored.
//
// Points are cut into blocks, and the matrix into panels, one for each pair of blocks that see each other. Panels are
// filled independently, so assembly is threaded and never holds the matrix twice. Of a symmetric kernel what lies right
// of the diagonal tiles of 64 points is kept, and used both ways. Of any other kernel everything is kept, once:
// transposed products use the same panels. Sums are taken in the same order for any number of threads.
//
// Several processes (Execution::ranks) deal out the blocks. Each holds the panels of its own rows and, so that nobody
// adds up for anybody else, of its own columns; those between two of its blocks are held once. Products are then
// exchanged: the same bits as of one process. Each function is called by all of them.
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
#include "kernel/pairs/row_parts.hpp"

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
  /// The most of any process.
  std::size_t memory() const override { return memory_; }
  KernelGraph graph() const override;

  /// Bytes for so many points and entries above the cut-off a row, of each process.
  static double predicted_bytes(double points, double entries_a_row, bool symmetric, bool single_precision = false,
                                int processes = 1);

 private:
  Index blocks() const { return (size() + block_ - 1) / block_; }
  Index block_end(Index a) const { return std::min(size(), (a + 1) * block_); }
  bool held(Index a, Index b) const { return parts_.mine(a) || parts_.mine(b); }
  /// Of one of the own blocks of a symmetric kernel.
  Panel& diagonal(Index a) { return diagonal_[std::size_t(a - parts_.begin())]; }
  const Panel& diagonal(Index a) const { return diagonal_[std::size_t(a - parts_.begin())]; }
  std::int32_t number(Index a, Index b) const { return number_[std::size_t(a * blocks() + b)]; }
  /// Null if no row of block a sees block b, or this is for others to hold.
  const Panel* panel(Index a, Index b) const;

  void assemble(const KernelGeometry& geometry, VectorView log_scale);
  void assemble_rows(const RowSource& source);
  void balance(const RowSource& rows);
  void schedule();
  void finish();
  void add_panel(Index a, Index b);
  void fill(const PairTiles& tiles, double cutoff, Index a, Index b);
  void fill(const RowSource& source, Index a);

  void multiply(bool transposed, const Slabs& x, Slabs& y) const;

  void multiply_own(bool transposed, const Slabs& x, Slabs& y) const;

  /// Entries of each row.
  std::vector<std::int32_t> count_rows() const;
  /// Whether the only entry of a row is that of its own point.
  std::vector<bool> rows_alone(std::span<const std::int32_t> counts) const;
  /// Calls body(panel) for all panels, those near the diagonal first, as long as it returns true.
  template <class Body>
  void for_panels(const Body& body) const;
  /// Everybody gets everybody's rows.
  template <class Number>
  void share(std::vector<Number>& rows) const;

  /// Calls body(row, column, value) for all entries of block a of the rows.
  template <class Body>
  void for_block_entries(Index a, const Body& body) const;

  std::vector<std::int32_t> order_;
  std::vector<bool> stranded_;  // empty if none is
  bool symmetric_;
  bool single_precision_;
  Index block_;  // points in a block, whole tiles
  RowParts parts_;
  std::vector<Panel> panels_;
  std::vector<Panel> diagonal_;       // the diagonal tiles of each own block of a symmetric kernel, whole
  std::vector<std::int32_t> number_;  // of panel (a, b), at a * blocks + b; -1 for none
  PairSchedule schedule_;             // of the panels of a symmetric kernel
  std::size_t memory_ = 0;
};

}  // namespace itomap::detail
