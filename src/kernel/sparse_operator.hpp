// The `sparse` engine: compressed rows of all kernel entries above the cut-off.
//
// Rows are kept in blocks that are filled independently, so assembly is threaded and never holds the matrix twice.
// A kernel that is not symmetric is kept a second time by columns, so that transposed products are gathers too: no two
// threads ever write to the same place, and sums have the same order for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "itomap/kernel/kernel_operator.hpp"
#include "kernel/kernel_geometry.hpp"

namespace itomap {

class SparseOperator final : public KernelOperator {
 public:
  SparseOperator(const KernelGeometry& geometry, const KernelOptions& options);

  Index size() const override { return Index(order_.size()); }
  void apply(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_transpose(PointsView x, Eigen::Ref<Block> y) const override;
  void apply_rows(std::span<const Index> rows, PointsView x, Eigen::Ref<Block> y) const override;
  bool symmetric() const override { return symmetric_; }
  std::size_t memory() const override;
  Engine engine() const override { return Engine::Sparse; }
  KernelGraph graph() const override;

  /// Bytes for so many stored entries.
  static double predicted_bytes(double entries, bool symmetric);

 private:
  /// Some consecutive rows in compressed form.
  struct Rows {
    Index first = 0;
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    std::vector<Index> stranded;

    Index count() const { return Index(start.size()) - 1; }
  };
  using Blocks = std::vector<Rows>;

  Blocks assemble(const KernelGeometry& geometry, const Progress& progress) const;
  Blocks transposed(const Blocks& blocks) const;
  void multiply(const Blocks& blocks, PointsView x, Eigen::Ref<Block> y) const;

  std::vector<std::int32_t> order_;
  bool symmetric_;
  int threads_;
  Blocks rows_;
  Blocks columns_;  // empty for a symmetric kernel
};

}  // namespace itomap
