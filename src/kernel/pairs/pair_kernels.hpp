// The innermost loops over pairs of points: exponents, exp, and products with blocks of vectors.
//
// They are compiled once for any processor and once more for AVX2 with FMA; `pair_kernels()` picks at run time. What
// crosses this border is plain pointers (CONTRIBUTING.md, "Two instruction sets").
//
// Points come in tiles of 64, each stored one coordinate after the other, so that 64 distances are a loop over
// contiguous numbers. A tile is four strips of 16 rows: the 16 x 64 entries of one strip and one tile stay in the
// first-level cache while they are multiplied with the vectors. What is stored beyond the last point is a copy of it;
// vectors are zero there. All tiles, strips and vectors begin at a multiple of 32 bytes.
#pragma once

namespace itomap::detail {

inline constexpr int tile_points = 64;
inline constexpr int strip_points = 16;
/// Vectors that are multiplied at a time; more are taken in turns.
inline constexpr int slab_width = 12;

enum class PairMetric { Euclidean, Scalar, Diagonal, Triangular };

/// 16 rows of a kernel, 2^-u with u = |W_r (c_r - x_j)|^2 - offset_r, and next to nothing where u exceeds the limit.
/// All distances are in units in which the kernel is 2^-u.
struct PairStrip {
  const double* centres;  ///< coordinate a of row r is centres[a * tile_points + r]
  int dimension;
  PairMetric metric;      ///< Euclidean: W = I
  const double* factors;  ///< W^2, the diagonal of W^2, or the lower triangle of W; the numbers of one row side by side
  const double* offsets;  ///< one for each row, or none: null
  double limit;           ///< -log2 of the cut-off
};

struct PairKernels {
  /// out = W (x - origin) for the points x of a tile. W is a number, or a lower triangle row by row.
  void (*whiten)(const double* tile, const double* origin, const double* w, bool triangular, int dimension,
                 double* out);

  /// k[r * tile_points + j]: the entries of a strip in the columns of a tile.
  void (*entries)(const PairStrip& strip, const double* tile, double* k);

  /// y_strip += K x_tile for `width` = 4, 8 or 12 vectors side by side.
  void (*rows)(const double* k, const double* x_tile, int width, double* y_strip);

  /// y_tile += K^T x_strip, the same way.
  void (*columns)(const double* k, const double* x_strip, int width, double* y_tile);

  /// One vector, without a detour through k: y_strip += K x_tile unless y_strip is null, and y_tile += K^T x_strip
  /// unless y_tile is null.
  void (*single)(const PairStrip& strip, const double* tile, const double* x_tile, double* y_strip,
                 const double* x_strip, double* y_tile);
};

/// Those that run best on this processor.
const PairKernels& pair_kernels();

extern const PairKernels pair_kernels_baseline;
#ifdef ITOMAP_AVX2_KERNELS
extern const PairKernels pair_kernels_avx2;
#endif

}  // namespace itomap::detail
