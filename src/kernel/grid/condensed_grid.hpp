// The kernel of the grid engine in the unknowns of its grid.
//
// The fast Gauss transform is a product of thin matrices, K = C_t G C_s^T: windows of the targets, a filter on the
// grid, windows of the sources. With H = G^1/2 and the rows E of some points I that are given entry by entry,
//
//   L = [ l C_t H | e_I ],    R = [ H C_s^T r ]           R L = [ H M H         H C_s^T r e_I ]
//                                 [     E     ]                 [ E l C_t H     E e_I         ]
//
// where M = C_s^T diag(r l) C_t (moment_matrix.hpp) is all that is left of the other points. Symmetric if the kernel is
// and l = r. Where the kernel is not, G is all on one side,
//
//   L = [ l C_t | e_I ],    R = [ G C_s^T r ; E ],
//
// which is half of the Fourier transforms, and only nodes under windows of targets are unknowns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/condensed_operator.hpp"
#include "kernel/grid/gauss_transform.hpp"
#include "kernel/grid/moment_matrix.hpp"
#include "kernel/grid/node_grid.hpp"
#include "kernel/kernel_entry.hpp"

namespace itomap::detail {

class CondensedGrid final : public CondensedOperator {
 public:
  /// `rows`: the points I; `entries`: of those rows of K. Nothing if products would not be cheaper than with the
  /// transform itself.
  static std::shared_ptr<const CondensedOperator> build(std::shared_ptr<const GaussTransform> transform,
                                                        const Vector& left, const Vector& right,
                                                        std::vector<Index> rows,
                                                        const std::vector<KernelEntry>& entries);

  Index size() const override { return nodes() + exact(); }
  std::size_t memory() const override;
  /// Of the nodes.
  Points places() const override;
  void apply(PointsView u, Eigen::Ref<Block> v) const override;
  void apply_transpose(PointsView u, Eigen::Ref<Block> v) const override;
  Block expand(PointsView u) const override;
  Block expand_transpose(PointsView u) const override;
  Block condense(PointsView f) const override;
  Block condense_transpose(PointsView f) const override;

 private:
  using Buffer = NodeGrid::Buffer;

  /// An entry of E, row and column counted in rows_ and, for columns that are not among them, in reached_.
  struct Entry {
    std::int32_t row;
    std::int32_t column;
    double value;
  };

  CondensedGrid(std::shared_ptr<const GaussTransform> transform, const Vector& left, const Vector& right,
                std::vector<Index> rows, const std::vector<KernelEntry>& entries);
  void set_exact_rows(const Vector& left, const std::vector<KernelEntry>& entries);
  bool set_moments();

  /// From unknowns to the grid, as in L or, transposed, R^T; and back, as in R or L^T. The filter is H in all four;
  /// one-sided it is G in R and R^T, and none in L and L^T.
  Buffer on_grid(PointsView u, Index column, bool transposed) const;
  void take(std::complex<double>* grid, Index column, bool transposed, Eigen::Ref<Block> u) const;

  /// v = take(M x + spread(added)) on the grid's unknowns, four columns, x = on_grid(u); on the way seen = gather(x).
  void grid_product(PointsView u, Index column, bool transposed, const SlabCloud* added, const Block& added_values,
                    const SlabCloud* seen, Block& seen_values, Eigen::Ref<Block> v) const;

  /// L u and R f, or R^T u and L^T f, without the rows I.
  Block to_points(PointsView u, bool transposed) const;
  Block to_grid(PointsView f, bool transposed) const;

  Index nodes() const { return node_grid_.nodes(); }
  Index exact() const { return Index(rows_.size()); }

  std::shared_ptr<const GaussTransform> transform_;
  Spreader spreader_;
  bool one_sided_;
  NodeGrid node_grid_;
  Vector left_;  // 0 at the points I
  Vector right_;
  std::vector<Index> rows_;     // I
  std::vector<Index> reached_;  // points that the rows I have entries at, I left out
  std::vector<Entry> to_reached_;
  std::vector<Entry> among_rows_;
  std::unique_ptr<const SlabCloud> row_sources_;
  std::unique_ptr<const SlabCloud> reached_targets_;
  std::unique_ptr<const MomentMatrix> moments_;
  std::unique_ptr<const MomentMatrix> transposed_moments_;  // none if symmetric
};

}  // namespace itomap::detail
