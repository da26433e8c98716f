// The bodies of moment_loops.hpp, behind spreading_loops.inl, whose windows they use. Included by one file per
// instruction set, each in a namespace of its own: ITOMAP_INSTRUCTION_SET.
#include "kernel/grid/moment_loops.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

template <int width>
void moment_windows(const SpreadPlan& plan, WindowPlaces places, std::ptrdiff_t points, PointWindows* windows) {
  const int missing = 3 - plan.dimension;
  for (std::ptrdiff_t k = 0; k < points; ++k) {
    for (int a = 0; a < missing; ++a) {
      windows[k].first[a] = 0;
      windows[k].value[a][0] = 1.0;
    }
    for (int a = 0; a < plan.dimension; ++a) {
      Taps<width> taps;
      taps.set(plan, behind(plan, places, k), a);
      windows[k].first[missing + a] = std::int32_t(taps.first);
      for (int l = 0; l < width; ++l) {
        windows[k].value[missing + a][l] = taps.value[l];
      }
    }
  }
}

/// The window over all grid points under it, times a weight; zeros behind its end.
template <int width>
void expand_window(const PointWindows& window, const int (&widths)[3], double weight, std::ptrdiff_t size,
                   double* values) {
  std::ptrdiff_t n = 0;
  for (int i = 0; i < widths[0]; ++i) {
    for (int j = 0; j < widths[1]; ++j) {
      const double outer = weight * window.value[0][i] * window.value[1][j];
      for (int l = 0; l < width; ++l) {
        values[n++] = outer * window.value[2][l];
      }
    }
  }
  for (; n < size; ++n) {
    values[n] = 0.0;
  }
}

/// row = sum over points of source[point][node] * targets[point], all of them `size` long.
inline void group_row(const double* sources, const double* targets, int points, std::ptrdiff_t node,
                      std::ptrdiff_t size, double* row) {
  constexpr int registers = 8;
  for (std::ptrdiff_t first = 0; first < size; first += 4 * registers) {
    Four sum[registers] = {};
    for (int k = 0; k < points; ++k) {
      const double factor = sources[k * size + node];
      for (int l = 0; l < registers; ++l) {
        sum[l] += load_four(targets + k * size + first + 4 * l) * factor;
      }
    }
    for (int l = 0; l < registers; ++l) {
      store_four(row + first + 4 * l, sum[l]);
    }
  }
}

/// Adds a row over the window that starts at `first` to the entries of one node.
template <int width>
inline void add_row(const double* row, const std::int32_t (&first)[3], const int (&widths)[3], const NodeBox& box,
                    double* entries) {
  for (int i = 0; i < widths[0]; ++i) {
    for (int j = 0; j < widths[1]; ++j) {
      const std::ptrdiff_t line =
          std::ptrdiff_t(first[0] + i - box.low[0]) * box.extent[1] + (first[1] + j - box.low[1]);
      double* entry = entries + box.offset + line * box.extent[2] + (first[2] - box.low[2]);
      for (int l = 0; l < width; ++l) {
        entry[l] += *row++;
      }
    }
  }
}

template <int width>
void moment_add(const SpreadPlan& plan, const NodeLattice& lattice, const MomentGroup& group, const NodeBox* boxes,
                double* entries) {
  constexpr std::ptrdiff_t widest_row = (std::ptrdiff_t(width) * width * width + 31) / 32 * 32;
  const int widths[3] = {plan.dimension > 2 ? width : 1, plan.dimension > 1 ? width : 1, width};
  const std::ptrdiff_t size = group.window_size;
  double* sources = group.scratch;
  double* targets = group.scratch + group.points * size;
  for (int k = 0; k < group.points; ++k) {
    expand_window<width>(group.sources[k], widths, group.weights[k], size, sources + k * size);
    expand_window<width>(group.targets[k], widths, 1.0, size, targets + k * size);
  }
  const auto& from = group.sources[0].first;
  double row[widest_row];
  std::ptrdiff_t node = 0;
  for (int i = 0; i < widths[0]; ++i) {
    for (int j = 0; j < widths[1]; ++j) {
      const NodeBox* line = boxes + (from[0] + i) * lattice.row + (from[1] + j) * lattice.line + from[2];
      for (int k = 0; k < width; ++k, ++node) {
        group_row(sources, targets, group.points, node, size, row);
        add_row<width>(row, group.targets[0].first, widths, line[k], entries);
      }
    }
  }
}

/// Sum over one line of a box: entries times four lanes of x.
inline void add_line(const double* entries, const double* x, std::ptrdiff_t count, Four (&sum)[4]) {
  std::ptrdiff_t l = 0;
  for (; l + 4 <= count; l += 4) {
    for (int k = 0; k < 4; ++k) {
      sum[k] += load_four(x + spread_lanes * (l + k)) * entries[l + k];
    }
  }
  for (; l < count; ++l) {
    sum[0] += load_four(x + spread_lanes * l) * entries[l];
  }
}

void moment_product(const NodeLattice& lattice, const NodeBox* boxes, const double* entries, const double* x,
                    std::ptrdiff_t begin, std::ptrdiff_t end, double* y) {
  for (std::ptrdiff_t node = begin; node < end; ++node) {
    const NodeBox& box = boxes[node];
    const double* line = entries + box.offset;
    Four sum[4] = {};
    for (int i = 0; i < box.extent[0]; ++i) {
      for (int j = 0; j < box.extent[1]; ++j) {
        const std::ptrdiff_t column = (box.low[0] + i) * lattice.row + (box.low[1] + j) * lattice.line + box.low[2];
        add_line(line, x + spread_lanes * column, box.extent[2], sum);
        line += box.extent[2];
      }
    }
    store_four(y + spread_lanes * node, (sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
}

}  // namespace

MomentLoops moment_loops(int width) {
  switch (width) {
#define ITOMAP_WIDTH(w) \
  case w:               \
    return {moment_windows<w>, moment_add<w>, moment_product};
    ITOMAP_FOR_WIDTHS(ITOMAP_WIDTH)
#undef ITOMAP_WIDTH
    default:
      return {nullptr, nullptr, nullptr};
  }
}

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
