// The inner loops of the moment matrix (moment_matrix.hpp), compiled twice and picked at run time like those of
// spreading.hpp; their bodies are in moment_loops.inl.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/grid/spreading.hpp"

namespace itomap::detail {

/// The windows of one point along three axes; axes that a lower dimension lacks come first and have the one value 1.
struct PointWindows {
  std::int32_t first[3];
  double value[3][widest_window];
};

/// The rows of a matrix over grid points: each holds a box of columns.
struct NodeBox {
  std::int32_t low[3];
  std::int32_t extent[3];  // 0 for an empty row
  std::ptrdiff_t offset;   // of its entries, in C order
};

/// Grid point (i, j, k) is number i * row + j * line + k in memory.
struct NodeLattice {
  std::ptrdiff_t row;
  std::ptrdiff_t line;
};

/// Points that are added together: a product of two small matrices, which stays in cache.
struct MomentGroup {
  static constexpr int most = 32;
  int points;
  const PointWindows* sources;
  const PointWindows* targets;
  const double* weights;
  std::ptrdiff_t window_size;  // grid points under a window, filled up to a multiple of 32
  double* scratch;             // 2 * most * window_size doubles
};

struct MomentLoops {
  /// Windows of `points` points.
  void (*windows)(const SpreadPlan& plan, WindowPlaces places, std::ptrdiff_t points, PointWindows* windows);
  /// entries += sum over the group of weight * source window x target window. The windows of all sources of a group
  /// start at the same grid point, and so do those of all targets.
  void (*add)(const SpreadPlan& plan, const NodeLattice& lattice, const MomentGroup& group, const NodeBox* boxes,
              double* entries);
  /// y = M x at nodes [begin, end), four vectors side by side.
  void (*product)(const NodeLattice& lattice, const NodeBox* boxes, const double* entries, const double* x,
                  std::ptrdiff_t begin, std::ptrdiff_t end, double* y);
};

/// The loops for windows of this width, in the fastest form that this processor can run.
MomentLoops moment_loops(int width);

}  // namespace itomap::detail
