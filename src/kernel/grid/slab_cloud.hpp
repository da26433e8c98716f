// Points on their way to a regular grid and back.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "itomap/core/types.hpp"
#include "kernel/grid/gauss_grid.hpp"

namespace itomap::detail {

/// Points sorted along the grid, so that neighbours touch the same part of it, and cut into slabs: the windows of every
/// second slab do not overlap, and threads can spread them at the same time.
class SlabCloud {
 public:
  /// Row `rows[k]` of the blocks that are multiplied belongs to the k-th of the points.
  SlabCloud(const Points& points, const std::vector<std::int32_t>& rows, const GaussGrid& grid);

  /// The points whose row has a number that is not negative; that number is their row.
  SlabCloud part(const std::vector<std::int32_t>& numbers) const;

  Index size() const { return Index(rows_.size()); }
  Index slabs() const { return Index(starts_.size()) - 1; }
  Index begin(Index slab) const { return starts_[std::size_t(slab)]; }
  Index end(Index slab) const { return starts_[std::size_t(slab) + 1]; }
  /// Where the windows of the k-th point and of those behind it lie.
  WindowPlaces places(Index k) const { return {first_.data() + k * dimension_, offset_.data() + k * dimension_}; }
  Index row(Index k) const { return rows_[std::size_t(k)]; }
  std::size_t memory() const;

  /// What a point of N coordinates takes.
  static double bytes_a_point(Index dimension) {
    return double(dimension) * (sizeof(double) + sizeof(std::int32_t)) + sizeof(std::int32_t);
  }

 private:
  SlabCloud() = default;

  Index dimension_ = 0;
  std::vector<std::int32_t> first_;
  std::vector<double> offset_;
  std::vector<std::int32_t> rows_;
  std::vector<Index> starts_;
};

/// Carries four vectors at a time between clouds and the grid.
class Spreader {
 public:
  /// The grid must outlive the spreader.
  Spreader(const GaussGrid& grid);

  /// grid = sum over the cloud's points of window(point) * x(point), columns [column, column + 4) of x. The grid must
  /// be zero before; what hangs over the ends of a period is folded back.
  void spread(const SlabCloud& from, PointsView x, Index column, std::complex<double>* grid) const;

  /// y(point) = sum over the grid of window(point) * grid, into the same columns of y; the margins are filled first.
  void gather(const SlabCloud& to, std::complex<double>* grid, Index column, Eigen::Ref<Block> y) const;

  /// The same where the margins are filled already: several threads may gather from one grid.
  void gather_filled(const SlabCloud& to, const std::complex<double>* grid, Index column, Eigen::Ref<Block> y) const;

  /// The two steps along periodic axes: margins added to the points one period away, and copied from there.
  void fold_margins(std::complex<double>* grid) const;
  void fill_margins(std::complex<double>* grid) const;

  const SpreadPlan& plan() const { return plan_; }
  const SpreadingLoops& loops() const { return loops_; }

 private:
  GridShape shape_;
  SpreadPlan plan_;
  SpreadingLoops loops_;
};

}  // namespace itomap::detail
