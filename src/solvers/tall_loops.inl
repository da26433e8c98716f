// The bodies of tall_loops.hpp. Included by one file per instruction set, each in a namespace of its own:
// ITOMAP_INSTRUCTION_SET.
#include "core/packs.inl"
#include "solvers/tall_loops.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

/// `group` columns of V at a time: as many sums as registers hold.
template <int group, int fours>
void inner_group(const double* v, std::ptrdiff_t stride, TallColumns<const double> w, std::ptrdiff_t rows,
                 double* sums) {
  constexpr int width = fours * tall_lanes;
  Four sum[group][fours];
  for (int c = 0; c < group; ++c) {
    for (int f = 0; f < fours; ++f) {
      sum[c][f] = load_four(sums + width * c + tall_lanes * f);
    }
  }
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    Four row[fours];
    for (int f = 0; f < fours; ++f) {
      row[f] = load_four(w.values + r * w.stride + tall_lanes * f);
    }
    for (int c = 0; c < group; ++c) {
      for (int f = 0; f < fours; ++f) {
        sum[c][f] += row[f] * v[r * stride + c];
      }
    }
  }
  for (int c = 0; c < group; ++c) {
    for (int f = 0; f < fours; ++f) {
      store_four(sums + width * c + tall_lanes * f, sum[c][f]);
    }
  }
}

template <int group, int fours>
void inner_groups(TallColumns<const double> v, TallColumns<const double> w, std::ptrdiff_t rows, double* sums) {
  constexpr int width = fours * tall_lanes;
  std::ptrdiff_t c = 0;
  for (; c + group <= v.count; c += group) {
    inner_group<group, fours>(v.values + c, v.stride, w, rows, sums + width * c);
  }
  for (; c + 4 <= v.count; c += 4) {
    inner_group<4, fours>(v.values + c, v.stride, w, rows, sums + width * c);
  }
  for (; c < v.count; ++c) {
    inner_group<1, fours>(v.values + c, v.stride, w, rows, sums + width * c);
  }
}

void inner(TallColumns<const double> v, TallColumns<const double> w, std::ptrdiff_t rows, double* sums) {
  if (w.count == wide_lanes) {
    inner_groups<6, 2>(v, w, rows, sums);
  } else {
    inner_groups<8, 1>(v, w, rows, sums);
  }
}

/// `group` rows at a time: each load of H serves all of them, and no sum waits for itself.
template <int group, int fours>
void subtract_group(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* h, double* w,
                    std::ptrdiff_t w_stride) {
  constexpr int width = fours * tall_lanes;
  Four sum[group][fours] = {};
  for (std::ptrdiff_t c = 0; c < columns; ++c) {
    Four row[fours];
    for (int f = 0; f < fours; ++f) {
      row[f] = load_four(h + width * c + tall_lanes * f);
    }
    for (int r = 0; r < group; ++r) {
      for (int f = 0; f < fours; ++f) {
        sum[r][f] += row[f] * v[r * stride + c];
      }
    }
  }
  for (int r = 0; r < group; ++r) {
    for (int f = 0; f < fours; ++f) {
      double* const values = w + r * w_stride + tall_lanes * f;
      store_four(values, load_four(values) - sum[r][f]);
    }
  }
}

template <int group, int fours>
void subtract_groups(TallColumns<const double> v, const double* h, std::ptrdiff_t rows, TallColumns<double> w) {
  std::ptrdiff_t r = 0;
  for (; r + group <= rows; r += group) {
    subtract_group<group, fours>(v.values + r * v.stride, v.stride, v.count, h, w.values + r * w.stride, w.stride);
  }
  for (; r < rows; ++r) {
    subtract_group<1, fours>(v.values + r * v.stride, v.stride, v.count, h, w.values + r * w.stride, w.stride);
  }
}

void subtract(TallColumns<const double> v, const double* h, std::ptrdiff_t rows, TallColumns<double> w) {
  if (w.count == wide_lanes) {
    subtract_groups<6, 2>(v, h, rows, w);
  } else {
    subtract_groups<8, 1>(v, h, rows, w);
  }
}

}  // namespace

TallLoops tall_loops() { return {inner, subtract}; }

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
