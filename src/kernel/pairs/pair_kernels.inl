// The bodies of pair_kernels.hpp. Included by one file per instruction set, each in a namespace of its own:
// ITOMAP_INSTRUCTION_SET. Vectors of the GCC kind become whatever registers the processor has.
#include "core/packs.inl"
#include "kernel/pairs/pair_kernels.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

/// Packs of columns in flight: enough independent chains to hide the latency of a multiply-add.
constexpr int group = 8;

/// u, or as much as makes 2^-u vanish where it exceeds the limit.
inline Pack cut(Pack u, Pack limit) { return u <= limit ? u : all(1000.0); }

/// z += w (x - origin), one coordinate of a tile.
inline void add_coordinate(const double* x, double origin, double w, double* z) {
  for (int j = 0; j < tile_points; j += lanes) {
    store(z + j, load(z + j) + w * (load(x + j) - origin));
  }
}

void whiten(const double* tile, const double* origin, const double* w, bool triangular, int dimension, double* out) {
  for (int b = 0; b < dimension; ++b, out += tile_points) {
    for (int j = 0; j < tile_points; j += lanes) {
      store(out + j, all(0.0));
    }
    if (!triangular) {
      add_coordinate(tile + b * tile_points, origin[b], *w, out);
      continue;
    }
    for (int a = 0; a <= b; ++a, ++w) {
      add_coordinate(tile + a * tile_points, origin[a], *w, out);
    }
  }
}

/// u becomes 2^-u, for -1000 <= u, and 2^-1000 beyond the limit. With u = s - k, |s| <= 1/2 and k an integer, it is
/// 2^-s, a polynomial with relative error 2.2e-16 (minimax, degree 10), with k added to its exponent. All packs of a
/// group take each step together: one after the other, every step would wait for the one before it.
inline void powers(Pack* u, Pack limit) {
  constexpr double rounder = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds, and leaves k in the low bits
  constexpr double coefficients[] = {-0x1.b6740fc28f781p-24, 0x1.62c157ee59177p-20,
                                     -0x1.ffcb55e82f22cp-17, 0x1.4309126056718p-13,
                                     -0x1.5d87fe9cc5d6fp-10, 0x1.3b2ab6fbde0f7p-7,
                                     -0x1.c6b08d703d48ap-5,  0x1.ebfbdff82c3b9p-3,
                                     -0x1.62e42fefa3a17p-1,  1.0};
  Pack s[group];
  Pack shifted[group];
  for (int g = 0; g < group; ++g) {
    u[g] = cut(u[g], limit);
    shifted[g] = rounder - u[g];
    s[g] = u[g] + (shifted[g] - rounder);
    u[g] = all(0x1.e3991e644e6abp-28);
  }
  for (const double c : coefficients) {
    for (int g = 0; g < group; ++g) {
      u[g] = u[g] * s[g] + c;
    }
  }
  for (int g = 0; g < group; ++g) {
    u[g] = reinterpret_cast<Pack>(reinterpret_cast<Bits>(u[g]) + (reinterpret_cast<Bits>(shifted[g]) << 52));
  }
}

// Exponents of row r, less its offset, in `group` packs of columns, which begin at x. One structure for each metric.

template <int dimension>  // 0: known at run time only
struct Euclidean {
  static inline void exponents(const PairStrip& strip, int r, double offset, const double* x, Pack* u) {
    const int n = dimension > 0 ? dimension : strip.dimension;
    for (int g = 0; g < group; ++g) {
      u[g] = all(-offset);
    }
    for (int a = 0; a < n; ++a) {
      const Pack c = all(strip.centres[a * tile_points + r]);
      for (int g = 0; g < group; ++g) {
        const Pack delta = c - load(x + a * tile_points + g * lanes);
        u[g] += delta * delta;
      }
    }
  }
};

template <int dimension>
struct Scalar {
  static inline void exponents(const PairStrip& strip, int r, double offset, const double* x, Pack* u) {
    Euclidean<dimension>::exponents(strip, r, 0.0, x, u);
    for (int g = 0; g < group; ++g) {
      u[g] = u[g] * strip.factors[r] - offset;
    }
  }
};

template <int dimension>
struct Diagonal {
  static inline void exponents(const PairStrip& strip, int r, double offset, const double* x, Pack* u) {
    const int n = dimension > 0 ? dimension : strip.dimension;
    for (int g = 0; g < group; ++g) {
      u[g] = all(-offset);
    }
    for (int a = 0; a < n; ++a) {
      const Pack c = all(strip.centres[a * tile_points + r]);
      const Pack factor = all(strip.factors[r * n + a]);
      for (int g = 0; g < group; ++g) {
        const Pack delta = c - load(x + a * tile_points + g * lanes);
        u[g] += factor * delta * delta;
      }
    }
  }
};

template <int dimension>
struct Triangular {
  static inline void exponents(const PairStrip& strip, int r, double offset, const double* x, Pack* u) {
    const int n = dimension > 0 ? dimension : strip.dimension;
    const double* w = strip.factors + r * (n * (n + 1) / 2);
    for (int g = 0; g < group; ++g) {
      u[g] = all(-offset);
    }
    for (int b = 0; b < n; ++b) {
      Pack z[group] = {};
      for (int a = 0; a <= b; ++a, ++w) {
        const Pack c = all(strip.centres[a * tile_points + r]);
        for (int g = 0; g < group; ++g) {
          z[g] += *w * (c - load(x + a * tile_points + g * lanes));
        }
      }
      for (int g = 0; g < group; ++g) {
        u[g] += z[g] * z[g];
      }
    }
  }
};

/// Hands every group of entries to use(r, column, k).
template <class Metric, class Use>
inline void for_groups(const PairStrip& strip, const double* tile, const Use& use) {
  const Pack limit = all(strip.limit);
  for (int r = 0; r < strip_points; ++r) {
    const double offset = strip.offsets != nullptr ? strip.offsets[r] : 0.0;
    for (int j = 0; j < tile_points; j += group * lanes) {
      Pack k[group];
      Metric::exponents(strip, r, offset, tile + j, k);
      powers(k, limit);
      use(r, j, k);
    }
  }
}

template <class Metric>
void metric_entries(const PairStrip& strip, const double* tile, double* out) {
  for_groups<Metric>(strip, tile, [out](int r, int j, const Pack* k) {
    for (int g = 0; g < group; ++g) {
      store(out + r * tile_points + j + g * lanes, k[g]);
    }
  });
}

template <class Metric>
void metric_single(const PairStrip& strip, const double* tile, const double* x_tile, double* y_strip,
                   const double* x_strip, double* y_tile) {
  Pack row_sums[strip_points] = {};
  if (y_tile == nullptr) {
    for_groups<Metric>(strip, tile, [&](int r, int j, const Pack* k) {
      for (int g = 0; g < group; ++g) {
        row_sums[r] += k[g] * load(x_tile + j + g * lanes);
      }
    });
  } else if (y_strip == nullptr) {
    for_groups<Metric>(strip, tile, [&](int r, int j, const Pack* k) {
      for (int g = 0; g < group; ++g) {
        double* y = y_tile + j + g * lanes;
        store(y, load(y) + k[g] * x_strip[r]);
      }
    });
  } else {
    for_groups<Metric>(strip, tile, [&](int r, int j, const Pack* k) {
      for (int g = 0; g < group; ++g) {
        double* y = y_tile + j + g * lanes;
        row_sums[r] += k[g] * load(x_tile + j + g * lanes);
        store(y, load(y) + k[g] * x_strip[r]);
      }
    });
  }
  for (int r = 0; r < strip_points && y_strip != nullptr; ++r) {
    y_strip[r] += sum(row_sums[r]);
  }
}

/// Calls body with the structure of the strip's metric, its dimension fixed where that pays.
template <template <int> class Metric, class Body>
inline void with_dimension(int dimension, const Body& body) {
  switch (dimension) {
    case 1:
      return body(Metric<1>{});
    case 2:
      return body(Metric<2>{});
    case 3:
      return body(Metric<3>{});
    default:
      return body(Metric<0>{});
  }
}

template <class Body>
inline void with_metric(const PairStrip& strip, const Body& body) {
  switch (strip.metric) {
    case PairMetric::Euclidean:
      return with_dimension<Euclidean>(strip.dimension, body);
    case PairMetric::Scalar:
      return with_dimension<Scalar>(strip.dimension, body);
    case PairMetric::Diagonal:
      return with_dimension<Diagonal>(strip.dimension, body);
    case PairMetric::Triangular:
      return with_dimension<Triangular>(strip.dimension, body);
  }
}

void entries(const PairStrip& strip, const double* tile, double* k) {
  with_metric(strip, [&](auto metric) { metric_entries<decltype(metric)>(strip, tile, k); });
}

void single(const PairStrip& strip, const double* tile, const double* x_tile, double* y_strip, const double* x_strip,
            double* y_tile) {
  with_metric(strip,
              [&](auto metric) { metric_single<decltype(metric)>(strip, tile, x_tile, y_strip, x_strip, y_tile); });
}

/// y_t += sum over s of k[t * outer + s * inner] x_s for `targets` rows y_t of `packs` packs each, whose sums all stay
/// in registers.
template <int targets, int packs>
inline void multiply(const double* k, int outer, int inner, int sources, const double* x, double* y) {
  constexpr int width = packs * lanes;
  Pack sums[targets][packs];
  for (int t = 0; t < targets; ++t) {
    for (int f = 0; f < packs; ++f) {
      sums[t][f] = load(y + t * width + f * lanes);
    }
  }
  for (int s = 0; s < sources; ++s) {
    for (int t = 0; t < targets; ++t) {
      const Pack value = all(k[t * outer + s * inner]);
      for (int f = 0; f < packs; ++f) {
        sums[t][f] += value * load(x + s * width + f * lanes);
      }
    }
  }
  for (int t = 0; t < targets; ++t) {
    for (int f = 0; f < packs; ++f) {
      store(y + t * width + f * lanes, sums[t][f]);
    }
  }
}

template <int targets, int packs>
void multiply_rows(const double* k, const double* x_tile, double* y_strip) {
  for (int r = 0; r < strip_points; r += targets) {
    multiply<targets, packs>(k + r * tile_points, tile_points, 1, tile_points, x_tile, y_strip + r * packs * lanes);
  }
}

template <int targets, int packs>
void multiply_columns(const double* k, const double* x_strip, double* y_tile) {
  for (int j = 0; j < tile_points; j += targets) {
    multiply<targets, packs>(k + j, 1, tile_points, strip_points, x_strip, y_tile + j * packs * lanes);
  }
}

// Eight to twelve sums at a time: fewer would wait for each other, more would not fit into sixteen registers.

void rows(const double* k, const double* x_tile, int width, double* y_strip) {
  switch (width) {
    case 4:
      return multiply_rows<2 * lanes, 4 / lanes>(k, x_tile, y_strip);
    case 8:
      return multiply_rows<lanes, 8 / lanes>(k, x_tile, y_strip);
    default:
      return multiply_rows<lanes, 12 / lanes>(k, x_tile, y_strip);
  }
}

void columns(const double* k, const double* x_strip, int width, double* y_tile) {
  switch (width) {
    case 4:
      return multiply_columns<2 * lanes, 4 / lanes>(k, x_strip, y_tile);
    case 8:
      return multiply_columns<lanes, 8 / lanes>(k, x_strip, y_tile);
    default:
      return multiply_columns<lanes, 12 / lanes>(k, x_strip, y_tile);
  }
}

constexpr PairKernels kernels = {whiten, entries, rows, columns, single};

}  // namespace
}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
