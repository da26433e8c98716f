// The second moments of the windows on the grid:  M = sum_i v_i c(s_i) c(t_i)^T  over all points i, where c(z) is the
// window of z on the grid as a vector over grid points.
//
// A row of M, one grid point, holds a box of columns: those that windows which touch it also touch. The cost of a
// product does not depend on the number of points.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "kernel/grid/moment_loops.hpp"
#include "kernel/grid/slab_cloud.hpp"

namespace itomap::detail {

/// Where the windows of some points start, along three axes: empty before the first is added.
struct MomentRange {
  using Corner = std::array<std::int32_t, 3>;
  Corner low;
  Corner high;

  MomentRange() {
    low.fill(std::numeric_limits<std::int32_t>::max());
    high.fill(std::numeric_limits<std::int32_t>::min());
  }
  bool empty() const { return low[0] > high[0]; }
  void add(const Corner& lowest, const Corner& highest) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], lowest[a]);
      high[a] = std::max(high[a], highest[a]);
    }
  }
};

/// For each grid point where the windows of the targets start whose sources' windows start there: all that has to be
/// known of the points before their moments are summed.
class MomentRanges {
 public:
  explicit MomentRanges(const GaussGrid& grid);

  /// Of the points that both clouds hold and whose weight is not 0.
  void add(const SlabCloud& sources, const SlabCloud& targets, const Vector& weights);
  /// Of other points.
  void add(std::span<const MomentRange> others);

  std::span<const MomentRange> all() const { return ranges_; }
  /// Of the targets whose sources' windows touch a grid point.
  std::vector<MomentRange> under_windows() const;
  /// Along three axes, of which a lower dimension lacks the first: points of the grid in memory, and under a window.
  const std::array<Index, 3>& stored() const { return stored_; }
  std::array<Index, 3> widths() const;

 private:
  int dimension_;
  int width_;
  std::array<Index, 3> stored_{1, 1, 1};
  std::vector<MomentRange> ranges_;
};

class MomentMatrix {
 public:
  /// `weights` and the rows of both clouds are in the caller's numbers; points that only one cloud holds count nothing.
  /// Nothing if the matrix would have more than `most_entries`.
  static std::unique_ptr<const MomentMatrix> build(const GaussGrid& grid, const Spreader& spreader,
                                                   const SlabCloud& sources, const SlabCloud& targets,
                                                   const Vector& weights, double most_entries);

  /// The sum over no points, with room for those whose ranges are known; nothing if that would be too many entries.
  static std::unique_ptr<MomentMatrix> zero(const GaussGrid& grid, const MomentRanges& ranges, double most_entries);
  /// Adds points of two clouds, as in build, to entries that lie as those of this matrix.
  void add(const Spreader& spreader, const SlabCloud& sources, const SlabCloud& targets, const Vector& weights,
           std::span<double> entries) const;
  /// The entries, for who sums them in parts.
  std::span<double> entries() { return entries_; }
  std::span<const double> entries() const { return entries_; }

  /// y = M x on the stored grid, four vectors interleaved.
  void apply(const std::complex<double>* x, std::complex<double>* y) const;

  std::size_t memory() const { return entries_.size() * sizeof(double) + boxes_.size() * sizeof(NodeBox); }

 private:
  friend class MomentBuilder;
  MomentMatrix() = default;

  std::array<Index, 3> widths_{1, 1, 1};
  NodeLattice lattice_{};
  std::vector<NodeBox> boxes_;
  AlignedVector entries_;
  MomentLoops loops_{};
};

}  // namespace itomap::detail
