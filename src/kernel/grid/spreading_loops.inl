// The bodies of spreading.hpp. Included by spreading_baseline.cpp and spreading_avx2.cpp, each in a namespace of its
// own: ITOMAP_INSTRUCTION_SET.
#include "core/packs.inl"
#include "kernel/grid/spreading.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

/// The points behind the first `points`.
inline WindowPlaces behind(const SpreadPlan& plan, WindowPlaces places, std::ptrdiff_t points) {
  return {places.first + plan.dimension * points, places.offset + plan.dimension * points};
}

/// The window of one point along one axis: where it starts and its value at each grid point.
template <int width>
struct Taps {
  static constexpr int padded = (width + 3) / 4 * 4;
  std::ptrdiff_t first;
  double value[padded];

  void set(const SpreadPlan& plan, WindowPlaces place, int axis) {
    first = place.first[axis];
    const double g = place.offset[axis];
    const double* c = plan.polynomials + plan.degree * widest_window;
    Four sum[padded / 4];
    for (int l = 0; l < padded / 4; ++l) {
      sum[l] = load_four(c + 4 * l);
    }
    for (int e = plan.degree; e > 0; --e) {
      c -= widest_window;
      for (int l = 0; l < padded / 4; ++l) {
        sum[l] = sum[l] * g + load_four(c + 4 * l);
      }
    }
    for (int l = 0; l < padded / 4; ++l) {
      store_four(value + 4 * l, sum[l]);
    }
  }
};

/// Points whose windows cover the same grid points go together: these are then loaded once for all of them.
template <int dimension, int width>
struct Group {
  static constexpr int most = 4;
  static constexpr int lines = dimension == 1 ? 1 : dimension == 2 ? width : width * width;

  int points;
  std::ptrdiff_t start;        // of the first line
  double weight[most][lines];  // of each line along the last axis, from the windows along the others
  Taps<width> last[most];

  /// Takes the first of the points and those behind it that share its windows' place.
  void take(const SpreadPlan& plan, WindowPlaces places, std::ptrdiff_t available) {
    points = 1;
    while (points < most && points < available && same_place(places, behind(plan, places, points))) {
      ++points;
    }
    for (int k = 0; k < points; ++k) {
      set(plan, behind(plan, places, k), k);
    }
  }

  std::ptrdiff_t line(const SpreadPlan& plan, int n) const {
    if constexpr (dimension == 3) {
      return start + n / width * plan.stride[0] + n % width * plan.stride[1];
    }
    return start + n * plan.stride[0];
  }

 private:
  static bool same_place(WindowPlaces one, WindowPlaces other) {
    for (int a = 0; a < dimension; ++a) {
      if (one.first[a] != other.first[a]) {
        return false;
      }
    }
    return true;
  }

  void set(const SpreadPlan& plan, WindowPlaces place, int k) {
    last[k].set(plan, place, dimension - 1);
    start = last[k].first * plan.stride[dimension - 1];
    if constexpr (dimension == 1) {
      weight[k][0] = 1.0;
    } else {
      Taps<width> first;
      first.set(plan, place, 0);
      start += first.first * plan.stride[0];
      if constexpr (dimension == 2) {
        for (int i = 0; i < width; ++i) {
          weight[k][i] = first.value[i];
        }
      } else {
        Taps<width> second;
        second.set(plan, place, 1);
        start += second.first * plan.stride[1];
        for (int i = 0; i < width; ++i) {
          for (int j = 0; j < width; ++j) {
            weight[k][i * width + j] = first.value[i] * second.value[j];
          }
        }
      }
    }
  }
};

/// The group on grid points [begin, end) of its n-th line; known to the compiler, so that they stay in registers.
template <int begin, int end, class Group>
inline void spread_line(const Group& group, int n, const double* values, double* line) {
  Four sum[end - begin];
  for (int l = begin; l < end; ++l) {
    sum[l - begin] = load_four(line + 4 * l);
  }
  for (int k = 0; k < group.points; ++k) {
    const Four value = load_four(values + spread_lanes * k) * group.weight[k][n];
    for (int l = begin; l < end; ++l) {
      sum[l - begin] += value * group.last[k].value[l];
    }
  }
  for (int l = begin; l < end; ++l) {
    store_four(line + 4 * l, sum[l - begin]);
  }
}

template <int begin, int end, class Group>
inline void gather_line(const Group& group, int n, const double* line, Four* sums) {
  Four node[end - begin];
  for (int l = begin; l < end; ++l) {
    node[l - begin] = load_four(line + 4 * l);
  }
  for (int k = 0; k < group.points; ++k) {
    // Two sums: one would wait for itself.
    Four sum[2] = {};
    for (int l = begin; l < end; ++l) {
      sum[l % 2] += node[l - begin] * group.last[k].value[l];
    }
    sums[k] += (sum[0] + sum[1]) * group.weight[k][n];
  }
}

/// Wider lines are taken in two parts.
template <int width>
constexpr int part = width <= 8 ? width : (width + 1) / 2;

template <int dimension, int width>
void spread(const SpreadPlan& plan, WindowPlaces places, const double* values, std::ptrdiff_t points, double* grid) {
  Group<dimension, width> group;
  for (std::ptrdiff_t done = 0; done < points; done += group.points) {
    group.take(plan, behind(plan, places, done), points - done);
    for (int n = 0; n < group.lines; ++n) {
      double* line = grid + group.line(plan, n);
      spread_line<0, part<width>>(group, n, values + spread_lanes * done, line);
      if constexpr (part<width> < width) {
        spread_line<part<width>, width>(group, n, values + spread_lanes * done, line);
      }
    }
  }
}

template <int dimension, int width>
void gather(const SpreadPlan& plan, WindowPlaces places, const double* grid, std::ptrdiff_t points, double* values) {
  Group<dimension, width> group;
  for (std::ptrdiff_t done = 0; done < points; done += group.points) {
    group.take(plan, behind(plan, places, done), points - done);
    Four sums[group.most] = {};
    for (int n = 0; n < group.lines; ++n) {
      const double* line = grid + group.line(plan, n);
      gather_line<0, part<width>>(group, n, line, sums);
      if constexpr (part<width> < width) {
        gather_line<part<width>, width>(group, n, line, sums);
      }
    }
    for (int k = 0; k < group.points; ++k) {
      store_four(values + spread_lanes * (done + k), sums[k]);
    }
  }
}

template <int dimension>
SpreadingLoops loops_of_width(int width) {
  switch (width) {
#define ITOMAP_WIDTH(w) \
  case w:               \
    return {spread<dimension, w>, gather<dimension, w>};
    ITOMAP_FOR_WIDTHS(ITOMAP_WIDTH)
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

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
