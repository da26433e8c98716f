// The bodies of tall_loops.hpp. Included by one file per instruction set, each in a namespace of its own:
// ITOMAP_INSTRUCTION_SET.
#include "core/packs.inl"
#include "solvers/tall_loops.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

/// `group` columns at a time: as many sums as registers hold.
template <int group>
void inner_group(const double* v, std::ptrdiff_t stride, const double* w, std::ptrdiff_t rows, double* sums) {
  Four sum[group];
  for (int c = 0; c < group; ++c) {
    sum[c] = load_four(sums + tall_lanes * c);
  }
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    const Four row = load_four(w + tall_lanes * r);
    for (int c = 0; c < group; ++c) {
      sum[c] += row * v[r * stride + c];
    }
  }
  for (int c = 0; c < group; ++c) {
    store_four(sums + tall_lanes * c, sum[c]);
  }
}

void inner(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* w, std::ptrdiff_t rows,
           double* sums) {
  std::ptrdiff_t c = 0;
  for (; c + 8 <= columns; c += 8) {
    inner_group<8>(v + c, stride, w, rows, sums + tall_lanes * c);
  }
  for (; c < columns; ++c) {
    inner_group<1>(v + c, stride, w, rows, sums + tall_lanes * c);
  }
}

/// `group` rows at a time: each load of H serves all of them, and no sum waits for itself.
template <int group>
void subtract_group(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* h, double* w) {
  Four sum[group] = {};
  for (std::ptrdiff_t c = 0; c < columns; ++c) {
    const Four row = load_four(h + tall_lanes * c);
    for (int r = 0; r < group; ++r) {
      sum[r] += row * v[r * stride + c];
    }
  }
  for (int r = 0; r < group; ++r) {
    store_four(w + tall_lanes * r, load_four(w + tall_lanes * r) - sum[r]);
  }
}

void subtract(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* h, std::ptrdiff_t rows,
              double* w) {
  std::ptrdiff_t r = 0;
  for (; r + 8 <= rows; r += 8) {
    subtract_group<8>(v + r * stride, stride, columns, h, w + tall_lanes * r);
  }
  for (; r < rows; ++r) {
    subtract_group<1>(v + r * stride, stride, columns, h, w + tall_lanes * r);
  }
}

}  // namespace

TallLoops tall_loops() { return {inner, subtract}; }

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
