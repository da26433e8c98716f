// The inner loops of the fast Gauss transform: from points to the grid and back, four vectors at a time.
//
// They are compiled twice, for any processor and for one with AVX2 and FMA, and picked at run time. Their bodies are in
// spreading_loops.inl; here are plain types and declarations alone, for the two would round differently
// (CONTRIBUTING.md, "Two instruction sets"). Where a window lies is decided once, by GaussGrid::place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace itomap::detail {

/// Vectors that travel together: one wide register.
constexpr int spread_lanes = 4;

/// Grid points along an axis that the widest window touches, filled up to whole registers.
constexpr int widest_window = 16;

/// Calls macro(w) for every width that loops are compiled for: those of GaussWindow.
#define ITOMAP_FOR_WIDTHS(macro) \
  macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) macro(10) macro(11) macro(12) macro(13) macro(14)

struct SpreadPlan {
  int dimension;
  int width;                  // grid points along an axis
  int degree;                 // of the window's polynomials
  const double* polynomials;  // (degree + 1) x widest_window
  std::ptrdiff_t stride[3];   // doubles from one grid point to the next along each axis
};

/// Where the windows of some points lie, `dimension` numbers for each point.
struct WindowPlaces {
  const std::int32_t* first;  ///< grid point that the window starts at
  const double* offset;       ///< -1 to 1: where its polynomials are evaluated
};

/// values: `points` x 4.
struct SpreadingLoops {
  /// grid += window(point) * value
  void (*spread)(const SpreadPlan& plan, WindowPlaces places, const double* values, std::ptrdiff_t points,
                 double* grid);
  /// value = sum of window(point) * grid
  void (*gather)(const SpreadPlan& plan, WindowPlaces places, const double* grid, std::ptrdiff_t points,
                 double* values);
};

/// The loops for this window, in the fastest form that this processor can run.
SpreadingLoops spreading_loops(int dimension, int width);

}  // namespace itomap::detail
