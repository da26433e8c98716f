// The bodies of quad_kernels.hpp. Included by one file per instruction set, which differ in their flags alone; all of
// it has internal linkage.
#include "kernel/packs.inl"
#include "kernel/quad_kernels.hpp"

namespace itomap {
namespace {

constexpr int quad_packs = quad_rows / lanes;

/// Four numbers, one for each row.
struct Four {
  Pack p[quad_packs];
};

inline Four four(const double* values) {
  Four v;
  for (int q = 0; q < quad_packs; ++q) v.p[q] = load(values + q * lanes);
  return v;
}

inline Four four(const float* values) {
  typedef float Singles __attribute__((vector_size(lanes * 4)));
  Four v;
  for (int q = 0; q < quad_packs; ++q) {
    v.p[q] = __builtin_convertvector(*reinterpret_cast<const Singles*>(values + q * lanes), Pack);
  }
  return v;
}

inline void add_product(Four& sums, const Four& values, double x) {
  for (int q = 0; q < quad_packs; ++q) sums.p[q] += values.p[q] * x;
}

inline double dot(const Four& a, const Four& b) {
  Pack products = a.p[0] * b.p[0];
  for (int q = 1; q < quad_packs; ++q) products += a.p[q] * b.p[q];
  return sum(products);
}

/// One vector. Sums of several columns side by side: one sum would wait for itself.
template <class Value, bool forward, bool transposed>
void multiply_one(const Quad<Value>& quad, const QuadVectors& v) {
  constexpr int chains = 4;
  Four sums[chains] = {};
  const Four x_rows = transposed ? four(v.x_rows) : Four{};
  const auto column = [&](long n, Four& chain) {
    const Four values = four(quad.values + n * quad_rows);
    const long c = quad.columns[n];
    if (forward) add_product(chain, values, v.x_columns[c]);
    if (transposed) v.y_columns[c] += dot(values, x_rows);
  };
  long n = 0;
  for (; n + chains <= quad.count; n += chains) {
    for (int k = 0; k < chains; ++k) column(n + k, sums[k]);
  }
  for (; n < quad.count; ++n) column(n, sums[0]);
  for (int q = 0; q < quad_packs && forward; ++q) {
    double* y = v.y_rows + q * lanes;
    store(y, load(y) + ((sums[0].p[q] + sums[1].p[q]) + (sums[2].p[q] + sums[3].p[q])));
  }
}

/// `packs` packs of vectors; the sums of four rows stay in registers.
template <class Value, int packs, bool forward, bool transposed>
void multiply_some(const Quad<Value>& quad, const QuadVectors& v) {
  constexpr int width = packs * lanes;
  Pack sums[quad_rows][packs] = {};
  for (long n = 0; n < quad.count; ++n) {
    const Value* values = quad.values + n * quad_rows;
    const long c = quad.columns[n] * long(width);
    for (int p = 0; p < packs; ++p) {
      const Pack x = forward ? load(v.x_columns + c + p * lanes) : Pack{};
      Pack y = transposed ? load(v.y_columns + c + p * lanes) : Pack{};
      for (int r = 0; r < quad_rows; ++r) {
        const Pack value = all(double(values[r]));
        if (forward) sums[r][p] += value * x;
        if (transposed) y += value * load(v.x_rows + r * width + p * lanes);
      }
      if (transposed) store(v.y_columns + c + p * lanes, y);
    }
  }
  for (int r = 0; r < quad_rows && forward; ++r) {
    for (int p = 0; p < packs; ++p) {
      double* y = v.y_rows + r * width + p * lanes;
      store(y, load(y) + sums[r][p]);
    }
  }
}

template <class Value, bool forward, bool transposed>
void multiply_width(const Quad<Value>& quad, const QuadVectors& v) {
  switch (v.width) {
    case 1:
      return multiply_one<Value, forward, transposed>(quad, v);
    case 4:
      return multiply_some<Value, 4 / lanes, forward, transposed>(quad, v);
    case 8:
      return multiply_some<Value, 8 / lanes, forward, transposed>(quad, v);
    default:
      return multiply_some<Value, 12 / lanes, forward, transposed>(quad, v);
  }
}

template <class Value>
void multiply_quad(const Quad<Value>& quad, const QuadVectors& v) {
  if (v.y_columns == nullptr) return multiply_width<Value, true, false>(quad, v);
  if (v.y_rows == nullptr) return multiply_width<Value, false, true>(quad, v);
  return multiply_width<Value, true, true>(quad, v);
}

int compress(const double* entries, int row, double cutoff, int first, unsigned short* columns, double* values) {
  int kept = 0;
  for (int j = 0; j < tile_points; ++j) {
    double largest = 0.0;
    for (int r = 0; r < quad_rows; ++r) {
      const double entry = entries[(row + r) * tile_points + j];
      values[kept * quad_rows + r] = entry >= cutoff ? entry : 0.0;
      largest = entry > largest ? entry : largest;
    }
    columns[kept] = static_cast<unsigned short>(first + j);
    kept += largest >= cutoff ? 1 : 0;  // no branch: what is not kept is overwritten
  }
  return kept;
}

constexpr QuadKernels kernels = {multiply_quad<double>, multiply_quad<float>, compress};

}  // namespace
}  // namespace itomap
