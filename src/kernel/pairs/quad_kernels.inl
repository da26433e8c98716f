// The bodies of quad_kernels.hpp. Included by one file per instruction set, each in a namespace of its own:
// ITOMAP_INSTRUCTION_SET.
#include "core/packs.inl"
#include "kernel/pairs/quad_kernels.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

constexpr int quad_packs = quad_rows / lanes;

/// The entries of four rows in some columns.
template <class Value>
struct Quad {
  const unsigned short* columns;
  const Value* values;
  long count;
};

inline Four four(const double* values) { return load_four(values); }

inline Four four(const float* values) {
  typedef float Singles __attribute__((vector_size(lanes * 4)));
  Four v;
  for (int q = 0; q < quad_packs; ++q) {
    v.part[q] = __builtin_convertvector(*reinterpret_cast<const Singles*>(values + q * lanes), Pack);
  }
  return v;
}

inline double dot(const Four& a, const Four& b) {
  Pack products = a.part[0] * b.part[0];
  for (int q = 1; q < quad_packs; ++q) {
    products += a.part[q] * b.part[q];
  }
  return sum(products);
}

/// One vector. Sums of several columns side by side: one sum would wait for itself.
template <class Value, bool forward, bool transposed>
inline void multiply_one(const Quad<Value>& quad, const QuadVectors& v) {
  constexpr int chains = 4;
  Four sums[chains] = {};
  const Four x_rows = transposed ? four(v.x_rows) : Four{};
  const auto column = [&](long n, Four& chain) {
    const Four values = four(quad.values + n * quad_rows);
    const long c = quad.columns[n];
    if (forward) {
      chain += values * v.x_columns[c];
    }
    if (transposed) {
      v.y_columns[c] += dot(values, x_rows);
    }
  };
  long n = 0;
  for (; n + chains <= quad.count; n += chains) {
    for (int k = 0; k < chains; ++k) {
      column(n + k, sums[k]);
    }
  }
  for (; n < quad.count; ++n) {
    column(n, sums[0]);
  }
  if (forward) {
    store_four(v.y_rows, load_four(v.y_rows) + ((sums[0] + sums[1]) + (sums[2] + sums[3])));
  }
}

/// y_rows += K x_columns for `packs` packs of vectors; the sums of the four rows stay in registers.
template <int packs>
inline void multiply_forward(const Quad<double>& quad, const double* x_columns, double* y_rows) {
  constexpr int width = packs * lanes;
  Pack sums[quad_rows][packs];
  for (int r = 0; r < quad_rows; ++r) {
    for (int p = 0; p < packs; ++p) {
      sums[r][p] = load(y_rows + r * width + p * lanes);
    }
  }
  for (long n = 0; n < quad.count; ++n) {
    const double* x = x_columns + quad.columns[n] * long(width);
    for (int r = 0; r < quad_rows; ++r) {
      const Pack value = all(quad.values[n * quad_rows + r]);
      for (int p = 0; p < packs; ++p) {
        sums[r][p] += value * load(x + p * lanes);
      }
    }
  }
  for (int r = 0; r < quad_rows; ++r) {
    for (int p = 0; p < packs; ++p) {
      store(y_rows + r * width + p * lanes, sums[r][p]);
    }
  }
}

/// y_columns += K^T x_rows; the vectors at the four rows stay in registers.
template <int packs>
inline void multiply_transposed(const Quad<double>& quad, const double* x_rows, double* y_columns) {
  constexpr int width = packs * lanes;
  Pack x[quad_rows][packs];
  for (int r = 0; r < quad_rows; ++r) {
    for (int p = 0; p < packs; ++p) {
      x[r][p] = load(x_rows + r * width + p * lanes);
    }
  }
  for (long n = 0; n < quad.count; ++n) {
    double* out = y_columns + quad.columns[n] * long(width);
    Pack y[packs];
    for (int p = 0; p < packs; ++p) {
      y[p] = load(out + p * lanes);
    }
    for (int r = 0; r < quad_rows; ++r) {
      const Pack value = all(quad.values[n * quad_rows + r]);
      for (int p = 0; p < packs; ++p) {
        y[p] += value * x[r][p];
      }
    }
    for (int p = 0; p < packs; ++p) {
      store(out + p * lanes, y[p]);
    }
  }
}

/// Both at once for four vectors: the registers hold the sums and the vectors of the four rows. To the same bits as one
/// after the other: who holds both halves of a symmetric kernel and who holds one must agree.
inline void multiply_both(const Quad<double>& quad, const QuadVectors& v) {
  constexpr int packs = 4 / lanes;
  Pack sums[quad_rows][packs];
  for (int r = 0; r < quad_rows; ++r) {
    for (int p = 0; p < packs; ++p) {
      sums[r][p] = load(v.y_rows + (r * packs + p) * lanes);
    }
  }
  for (long n = 0; n < quad.count; ++n) {
    const double* x = v.x_columns + quad.columns[n] * 4L;
    double* out = v.y_columns + quad.columns[n] * 4L;
    for (int p = 0; p < packs; ++p) {
      Pack y = load(out + p * lanes);
      for (int r = 0; r < quad_rows; ++r) {
        const Pack value = all(quad.values[n * quad_rows + r]);
        sums[r][p] += value * load(x + p * lanes);
        y += value * load(v.x_rows + (r * packs + p) * lanes);
      }
      store(out + p * lanes, y);
    }
  }
  for (int r = 0; r < quad_rows; ++r) {
    for (int p = 0; p < packs; ++p) {
      store(v.y_rows + (r * packs + p) * lanes, sums[r][p]);
    }
  }
}

/// Several vectors. With more than four, two walks through the run: the registers hold the numbers of one.
template <int width, bool forward, bool transposed>
inline void multiply_some(const Quad<double>& quad, const QuadVectors& v) {
  if constexpr (forward && transposed && width == 4) {
    multiply_both(quad, v);
  } else {
    if (forward) {
      multiply_forward<width / lanes>(quad, v.x_columns, v.y_rows);
    }
    if (transposed) {
      multiply_transposed<width / lanes>(quad, v.x_rows, v.y_columns);
    }
  }
}

/// Values in single precision are widened a piece at a time: each is used many times.
template <int width, bool forward, bool transposed>
inline void multiply_some(const Quad<float>& quad, const QuadVectors& v) {
  constexpr long piece = 128;
  alignas(64) double values[piece * quad_rows];
  for (long from = 0; from < quad.count; from += piece) {
    const long count = quad.count - from < piece ? quad.count - from : piece;
    for (long n = 0; n < count * quad_rows; ++n) {
      values[n] = double(quad.values[from * quad_rows + n]);
    }
    multiply_some<width, forward, transposed>(Quad<double>{quad.columns + from, values, count}, v);
  }
}

template <class Value, int width, bool forward, bool transposed>
void multiply_runs(const QuadPanel<Value>& panel, const QuadVectors& v) {
  for (long k = 0; k < panel.count; ++k) {
    const long begin = panel.runs[k].begin;
    const Quad<Value> quad = {panel.columns + begin, panel.values + begin * quad_rows, panel.runs[k + 1].begin - begin};
    const long row = long(panel.runs[k].quad) * quad_rows * width;
    QuadVectors vectors = v;
    if (forward) {
      vectors.y_rows += row;
    }
    if (transposed) {
      vectors.x_rows += row;
    }
    if constexpr (width == 1) {
      multiply_one<Value, forward, transposed>(quad, vectors);
    } else {
      multiply_some<width, forward, transposed>(quad, vectors);
    }
  }
}

template <class Value, bool forward, bool transposed>
void multiply_width(const QuadPanel<Value>& panel, const QuadVectors& v) {
  switch (v.width) {
    case 1:
      return multiply_runs<Value, 1, forward, transposed>(panel, v);
    case 4:
      return multiply_runs<Value, 4, forward, transposed>(panel, v);
    case 8:
      return multiply_runs<Value, 8, forward, transposed>(panel, v);
    default:
      return multiply_runs<Value, 12, forward, transposed>(panel, v);
  }
}

template <class Value>
void multiply_panel(const QuadPanel<Value>& panel, const QuadVectors& v) {
  if (v.y_columns == nullptr) {
    return multiply_width<Value, true, false>(panel, v);
  }
  if (v.y_rows == nullptr) {
    return multiply_width<Value, false, true>(panel, v);
  }
  return multiply_width<Value, true, true>(panel, v);
}

/// Entries of four rows in four columns, column by column, 0 where below the cut-off. Bit c says whether column c is to
/// be kept.
#ifdef __AVX2__
inline int columns_of_four(const double* entries, double cutoff, double* out) {
  Pack row[quad_rows];
  Bits any = {};
  for (int r = 0; r < quad_rows; ++r) {
    const Pack entry = load(entries + r * tile_points);
    const Bits keep = entry >= all(cutoff);
    row[r] = reinterpret_cast<Pack>(reinterpret_cast<Bits>(entry) & keep);
    any |= keep;
  }
  const Pack a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
  const Pack b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
  const Pack c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
  const Pack d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
  store(out, __builtin_shufflevector(a, c, 0, 1, 4, 5));
  store(out + 4, __builtin_shufflevector(b, d, 0, 1, 4, 5));
  store(out + 8, __builtin_shufflevector(a, c, 2, 3, 6, 7));
  store(out + 12, __builtin_shufflevector(b, d, 2, 3, 6, 7));
  return __builtin_ia32_movmskpd256(reinterpret_cast<Pack>(any));
}
#else
inline int columns_of_four(const double* entries, double cutoff, double* out) {
  int any = 0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < quad_rows; ++r) {
      const double entry = entries[r * tile_points + c];
      out[c * quad_rows + r] = entry >= cutoff ? entry : 0.0;
      any |= (entry >= cutoff ? 1 : 0) << c;
    }
  }
  return any;
}
#endif

int compress(const double* entries, int row, double cutoff, int first, unsigned short* columns, double* values) {
  int kept = 0;
  for (int j = 0; j < tile_points; j += 4) {
    alignas(64) double four_columns[4 * quad_rows];
    const int any = columns_of_four(entries + row * tile_points + j, cutoff, four_columns);
    for (int c = 0; c < 4; ++c) {
      columns[kept] = static_cast<unsigned short>(first + j + c);
      for (int r = 0; r < quad_rows; r += lanes) {
        store(values + kept * quad_rows + r, load(four_columns + c * quad_rows + r));
      }
      kept += (any >> c) & 1;  // no branch: what is not kept is overwritten
    }
  }
  return kept;
}

constexpr QuadKernels kernels = {multiply_panel<double>, multiply_panel<float>, compress};

}  // namespace
}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
