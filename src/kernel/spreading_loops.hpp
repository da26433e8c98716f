// Included by spreading_baseline.cpp and spreading_avx2.cpp, each in a namespace of its own: ITOMAP_INSTRUCTION_SET.
#include "kernel/spreading.hpp"

namespace itomap::ITOMAP_INSTRUCTION_SET {
namespace {

// Four doubles anywhere in memory; the compiler splits them where registers are narrower.
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));

inline Lanes& lanes(double* memory) { return *reinterpret_cast<Lanes*>(memory); }
inline const Lanes& lanes(const double* memory) { return *reinterpret_cast<const Lanes*>(memory); }

/// The window of one point along one axis: where it starts and its value at each grid point.
template <int width>
struct Taps {
  static constexpr int padded = padded_width(width);
  std::ptrdiff_t first;
  double value[padded];

  void set(const SpreadPlan& plan, int axis, double z) {
    const double u = (z - plan.origin[axis]) * plan.inverse_spacing[axis] - 0.5 * width;
    first = first_tap(plan, axis, z);
    const double g = 2.0 * (double(first) - u) - 1.0;
    const double* c = plan.polynomials + plan.degree * padded;
    Lanes sum[padded / 4];
    for (int l = 0; l < padded / 4; ++l) {
      sum[l] = lanes(c + 4 * l);
    }
    for (int e = plan.degree; e > 0; --e) {
      c -= padded;
      for (int l = 0; l < padded / 4; ++l) {
        sum[l] = sum[l] * g + lanes(c + 4 * l);
      }
    }
    for (int l = 0; l < padded / 4; ++l) {
      lanes(value + 4 * l) = sum[l];
    }
  }
};

template <int width>
inline void spread_line(double* line, const Taps<width>& taps, Lanes value) {
  for (int l = 0; l < width; ++l) {
    lanes(line + 4 * l) += value * taps.value[l];
  }
}

template <int width>
inline Lanes gather_line(const double* line, const Taps<width>& taps) {
  // Two sums: one would wait for itself.
  Lanes even = lanes(line) * taps.value[0];
  Lanes odd = lanes(line + 4) * taps.value[1];
  for (int l = 2; l + 1 < width; l += 2) {
    even += lanes(line + 4 * l) * taps.value[l];
    odd += lanes(line + 4 * l + 4) * taps.value[l + 1];
  }
  if (width % 2 == 1) {
    even += lanes(line + 4 * (width - 1)) * taps.value[width - 1];
  }
  return even + odd;
}

/// Calls body(line, weight) for every grid line along the last axis under the window, then returns its taps.
template <int dimension, int width, class Body>
inline void for_lines(const SpreadPlan& plan, const double* z, Taps<width>& last, const Body& body) {
  last.set(plan, dimension - 1, z[dimension - 1]);
  const std::ptrdiff_t start = last.first * plan.stride[dimension - 1];
  if constexpr (dimension == 1) {
    body(start, 1.0);
  } else {
    Taps<width> first;
    first.set(plan, 0, z[0]);
    if constexpr (dimension == 2) {
      for (int i = 0; i < width; ++i) {
        body((first.first + i) * plan.stride[0] + start, first.value[i]);
      }
    } else {
      Taps<width> second;
      second.set(plan, 1, z[1]);
      for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
          body((first.first + i) * plan.stride[0] + (second.first + j) * plan.stride[1] + start,
               first.value[i] * second.value[j]);
        }
      }
    }
  }
}

template <int dimension, int width>
void spread(const SpreadPlan& plan, const double* z, const double* values, std::ptrdiff_t points, double* grid) {
  Taps<width> last;
  for (std::ptrdiff_t k = 0; k < points; ++k) {
    const Lanes value = lanes(values + spread_lanes * k);
    for_lines<dimension, width>(plan, z + dimension * k, last, [&](std::ptrdiff_t line, double weight) {
      spread_line<width>(grid + line, last, value * weight);
    });
  }
}

template <int dimension, int width>
void gather(const SpreadPlan& plan, const double* z, const double* grid, std::ptrdiff_t points, double* values) {
  Taps<width> last;
  for (std::ptrdiff_t k = 0; k < points; ++k) {
    Lanes sum = {0.0, 0.0, 0.0, 0.0};
    for_lines<dimension, width>(plan, z + dimension * k, last, [&](std::ptrdiff_t line, double weight) {
      sum += gather_line<width>(grid + line, last) * weight;
    });
    lanes(values + spread_lanes * k) = sum;
  }
}

template <int dimension>
SpreadingLoops loops_of_width(int width) {
  switch (width) {
#define ITOMAP_WIDTH(w) \
  case w:               \
    return {spread<dimension, w>, gather<dimension, w>};
    ITOMAP_WIDTH(3)
    ITOMAP_WIDTH(4)
    ITOMAP_WIDTH(5)
    ITOMAP_WIDTH(6)
    ITOMAP_WIDTH(7)
    ITOMAP_WIDTH(8)
    ITOMAP_WIDTH(9)
    ITOMAP_WIDTH(10)
    ITOMAP_WIDTH(11)
    ITOMAP_WIDTH(12)
    ITOMAP_WIDTH(13)
    ITOMAP_WIDTH(14)
#undef ITOMAP_WIDTH
    default:
      return {nullptr, nullptr};
  }
}

}  // namespace

SpreadingLoops spreading_loops(int dimension, int width) {
  switch (dimension) {
    case 1:
      return loops_of_width<1>(width);
    case 2:
      return loops_of_width<2>(width);
    default:
      return loops_of_width<3>(width);
  }
}

}  // namespace itomap::ITOMAP_INSTRUCTION_SET
