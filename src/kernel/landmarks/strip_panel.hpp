// Some points against the landmarks near them, strip by strip: the rows of S or T that one loop works on.
//
// Vectors go four at a time, with the numbers of each four side by side.
#pragma once

#include <vector>

#include "core/aligned.hpp"
#include "kernel/landmarks/strips.hpp"

namespace itomap::detail {

/// Rows of a panel: two of the runs of 64 that are compact in space.
constexpr Index panel_rows = 128;

/// Some consecutive rows of S or T, strip by strip.
struct StripPanel {
  Index begin = 0;
  Index rows = 0;
  std::vector<Index> strips;  ///< that come near
  AlignedVector entries;      ///< of each of them, rows x 8

  const double* strip(std::size_t k) const { return entries.data() + Index(k) * rows * strip_width; }
  double* strip(std::size_t k) { return entries.data() + Index(k) * rows * strip_width; }

  Points places;  // scratch
};

/// Numbers side by side: of each group of four columns, of each row, four numbers.
struct InFours {
  Index rows;
  Index columns;
  AlignedVector numbers;

  InFours(Index row_count, Index column_count)
      : rows(row_count),
        columns(column_count),
        numbers(std::size_t(row_count * ((column_count + strip_vectors - 1) / strip_vectors) * strip_vectors), 0.0) {}
  /// So many rows, of which the first are those of u.
  InFours(Index row_count, PointsView u);

  double* group(Index column) { return numbers.data() + column * rows; }
  const double* group(Index column) const { return numbers.data() + column * rows; }

  double& at(Index row, Index column) {
    return group(column / strip_vectors * strip_vectors)[row * strip_vectors + column % strip_vectors];
  }
};

/// The panel's entries of kernels of width 1 around all strips that come near these places, 0 below the cut-off.
/// `limit` is the exponent of the cut-off.
void fill_near(const Strips& strips, const Points& places, double limit, double cutoff, StripPanel& panel);

/// The row of one of its points, n numbers.
Vector row_of(const StripPanel& panel, Index p, Index landmarks);

/// sums += C^T X for columns from `column` on; X: rows x 4.
void gather_four(const StripPanel& panel, const double* x, Index column, InFours& sums);
/// Y = C U for columns from `column` on; Y: rows x 4.
void spread_four(const StripPanel& panel, const InFours& u, Index column, double* y);

constexpr Index moment_tile = strip_width * strip_width;

/// Rows times numbers.
void scale_rows_of(StripPanel& panel, const double* factors);
/// tiles += A^T B, where tile (k, l) of strips x strips has the products of strips k and l; for the symmetric those
/// with k <= l alone.
void add_tiles(const StripPanel& a, const StripPanel& b, bool symmetric, Index strips, double* tiles);
/// The same sums as an n x n matrix.
Matrix matrix_of_tiles(const double* tiles, Index strips, Index landmarks, bool symmetric);

}  // namespace itomap::detail
