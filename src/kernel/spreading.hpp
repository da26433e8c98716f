// The inner loops of the fast Gauss transform: from points to the grid and back, four vectors at a time.
//
// They are compiled twice, for any processor and for one with AVX2 and FMA, and picked at run time. This header and
// spreading_loops.hpp include nothing but the language: an inline function of a library, compiled for AVX2, could be
// linked into code that must run without.
#pragma once

#include <cstddef>

namespace itomap {

/// Vectors that travel together: one wide register.
constexpr int spread_lanes = 4;

/// Calls macro(w) for every width that loops are compiled for: those of GaussWindow.
#define ITOMAP_FOR_WIDTHS(macro) \
  macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) macro(11) macro(12) macro(13) macro(14)

/// Entries that the window's polynomials are padded to.
constexpr int padded_width(int width) { return (width + 3) / 4 * 4; }

struct SpreadPlan {
  int dimension;
  int width;                  // grid points along an axis
  int degree;                 // of the window's polynomials
  const double* polynomials;  // (degree + 1) x padded_width(width)
  double origin[3];           // coordinate of the first stored grid point
  double inverse_spacing[3];
  std::ptrdiff_t stride[3];  // doubles from one grid point to the next along each axis
};

/// First grid point along an axis that the window of a point at z touches. Static: every file keeps its own, compiled
/// for its own processor.
static inline std::ptrdiff_t first_tap(const SpreadPlan& plan, int axis, double z) {
  const double u = (z - plan.origin[axis]) * plan.inverse_spacing[axis] - 0.5 * plan.width;
  const auto below = std::ptrdiff_t(u);  // u >= 0: the window lies inside the grid
  return below + (double(below) < u ? 1 : 0);
}

/// z: `points` x dimension; values: `points` x 4.
struct SpreadingLoops {
  /// grid += window(point) * value
  void (*spread)(const SpreadPlan& plan, const double* z, const double* values, std::ptrdiff_t points, double* grid);
  /// value = sum of window(point) * grid
  void (*gather)(const SpreadPlan& plan, const double* z, const double* grid, std::ptrdiff_t points, double* values);
};

/// The loops for this window, in the fastest form that this processor can run.
SpreadingLoops spreading_loops(int dimension, int width);

}  // namespace itomap
