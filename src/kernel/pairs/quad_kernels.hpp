// The innermost loops of stored kernels: rows in fours, and the columns that any of the four needs.
//
// Four rows that are neighbours in space have most of their columns in common. Stored together, a column number serves
// four values, an element of x is loaded once for four rows, and the four sums are one vector. Compiled and picked at
// run time like pair_kernels.hpp.
#pragma once

#include "kernel/pairs/pair_kernels.hpp"

namespace itomap::detail {

inline constexpr int quad_rows = 4;

/// Where the entries of four rows in some columns begin: rows 4 * quad, ... of the panel. They end where the next
/// begin.
struct QuadRun {
  unsigned quad;
  unsigned begin;
};

/// A panel: the entries of a block of rows in a block of columns, both numbered from the block's beginning.
template <class Value>
struct QuadPanel {
  const QuadRun* runs;  ///< and one more, at which the last one ends
  long count;           ///< of runs
  const unsigned short* columns;
  const Value* values;  ///< four for each column, 0 where a row has no entry
};

/// Vectors at the panel's rows and at its columns, `width` = 1, 4, 8 or 12 side by side.
/// y_rows += K x_columns unless y_rows is null, and y_columns += K^T x_rows unless y_columns is null.
struct QuadVectors {
  int width;
  const double* x_columns;
  double* y_rows;
  const double* x_rows;
  double* y_columns;
};

struct QuadKernels {
  void (*multiply)(const QuadPanel<double>& panel, const QuadVectors& vectors);
  void (*multiply_single_precision)(const QuadPanel<float>& panel, const QuadVectors& vectors);

  /// From a strip's entries in a tile, keeps what is >= cutoff of the four rows from `row` on: appends to columns and
  /// values, both with room for a whole tile, and returns how many columns were kept. The first column is number
  /// `first`.
  int (*compress)(const double* entries, int row, double cutoff, int first, unsigned short* columns, double* values);
};

/// Those that run best on this processor.
const QuadKernels& quad_kernels();

extern const QuadKernels quad_kernels_baseline;
#ifdef ITOMAP_AVX2_KERNELS
extern const QuadKernels quad_kernels_avx2;
#endif

}  // namespace itomap::detail
