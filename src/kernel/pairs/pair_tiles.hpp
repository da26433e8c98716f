// Products with a kernel that is recomputed every time: tiles of 64 points against strips of 16 rows.
//
// Tiles that lie beyond a strip's cut-off are left out. A symmetric kernel is evaluated once for each pair of points
// and used twice. Distances are taken between coordinates relative to the row's tile, so that they are as accurate far
// from the origin as near it.
#pragma once

#include <functional>

#include "core/aligned.hpp"
#include "core/pair_schedule.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/pairs/pair_kernels.hpp"
#include "kernel/pairs/reach.hpp"
#include "kernel/pairs/slabs.hpp"

namespace itomap::detail {

class PairTiles {
 public:
  /// Row i is scaled by exp(log_scale_i); an empty `log_scale` scales none. The geometry must not be periodic.
  PairTiles(const KernelGeometry& geometry, VectorView log_scale);

  /// Y = K X; X and Y in the geometry's order.
  void apply(const Slabs& x, Slabs& y) const;
  /// Y = K^T X.
  void apply_transpose(const Slabs& x, Slabs& y) const;

  /// What one thread needs: whitened columns, and the entries of one strip.
  struct Scratch {
    AlignedVector columns;
    AlignedVector entries;
  };
  Scratch scratch() const;

  /// Calls use(row, entries) for every strip of tile i that sees tile j, with the strip's first row and its 16 x 64
  /// entries in the tile, row by row; 0 where there is no point.
  using UseEntries = std::function<void(Index row, const double* entries)>;
  void entries(Index i, Index j, Scratch& scratch, const UseEntries& use) const;

  std::size_t memory() const;

 private:
  Index tile_size() const { return dimension_ * tile_points; }
  const double* tile(Index t) const { return tiles_.data() + t * tile_size(); }
  PairStrip strip(Index s) const;

  /// The points of tile j as the rows of tile i see them; false if they are all beyond the cut-off.
  bool whiten(Index i, Index j, Scratch& scratch) const;
  bool sees(Index s, Index j) const { return s * strip_points < points_ && !strip_reach_.misses(s, tile_boxes_, j); }
  void pack(const KernelGeometry& geometry, VectorView log_scale);
  void symmetric_product(const Slabs& x, Slabs& y) const;
  /// Y_I += K_IJ X_J if `forward`, and Y_J += K_IJ^T X_I if `transposed`.
  void multiply(Index i, Index j, bool forward, bool transposed, const Slabs& x, Slabs& y, Scratch& scratch) const;

  Index points_, dimension_, tile_count_, tiles_a_block_;
  bool symmetric_;
  bool triangular_;                // the metric common to all rows, taken out of both points and centres
  std::vector<double> common_;     // its W, in units in which the kernel is 2^-u
  PairMetric metric_;              // what remains of each row's metric
  AlignedVector tiles_, centres_;  // points as they are; centres relative to their origin, whitened
  Points origins_;                 // one for each tile of rows
  AlignedVector factors_, offsets_;
  double limit_;  // -log2 of the cut-off
  Boxes tile_boxes_;
  RowReaches strip_reach_, tile_reach_;
  PairSchedule schedule_;  // of blocks of tiles, for a symmetric kernel
};

}  // namespace itomap::detail
