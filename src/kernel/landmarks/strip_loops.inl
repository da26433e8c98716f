// The bodies of strip_loops.hpp. Included by one file per instruction set, each in a namespace of its own:
// ITOMAP_INSTRUCTION_SET.
#include "core/packs.inl"
#include "kernel/landmarks/strip_loops.hpp"

namespace itomap::detail::ITOMAP_INSTRUCTION_SET {
namespace {

constexpr int half = 4;

/// `group` points at a time: each load of the strip serves all of them.
template <int group>
void distances_of(const double* x, std::ptrdiff_t dimension, const double* z, double* u) {
  Four low[group] = {};
  Four high[group] = {};
  for (std::ptrdiff_t a = 0; a < dimension; ++a) {
    const Four z_low = load_four(z + strip_width * a);
    const Four z_high = load_four(z + strip_width * a + half);
    for (int p = 0; p < group; ++p) {
      const double place = x[p * dimension + a];
      for (int q = 0; q < half / lanes; ++q) {
        const Pack d = z_low.part[q] - place;
        const Pack e = z_high.part[q] - place;
        low[p].part[q] += d * d;
        high[p].part[q] += e * e;
      }
    }
  }
  for (int p = 0; p < group; ++p) {
    store_four(u + strip_width * p, low[p]);
    store_four(u + strip_width * p + half, high[p]);
  }
}

void distances(const double* x, std::ptrdiff_t dimension, std::ptrdiff_t rows, const double* z, double* u) {
  constexpr int group = 4;
  std::ptrdiff_t p = 0;
  for (; p + group <= rows; p += group) {
    distances_of<group>(x + p * dimension, dimension, z, u + strip_width * p);
  }
  for (; p < rows; ++p) {
    distances_of<1>(x + p * dimension, dimension, z, u + strip_width * p);
  }
}

void cut(double* entries, std::ptrdiff_t count, double cutoff) {
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    entries[i] = entries[i] < cutoff ? 0.0 : entries[i];
  }
}

void scale(double* entries, std::ptrdiff_t rows, const double* factors) {
  for (std::ptrdiff_t p = 0; p < rows; ++p) {
    for (int k = 0; k < strip_width; ++k) {
      entries[strip_width * p + k] *= factors[p];
    }
  }
}

void gather(const double* entries, std::ptrdiff_t rows, const double* x, double* sums) {
  Four sum[strip_width];
  for (int k = 0; k < strip_width; ++k) {
    sum[k] = load_four(sums + strip_vectors * k);
  }
  for (std::ptrdiff_t p = 0; p < rows; ++p) {
    const Four row = load_four(x + strip_vectors * p);
    for (int k = 0; k < strip_width; ++k) {
      sum[k] += row * entries[strip_width * p + k];
    }
  }
  for (int k = 0; k < strip_width; ++k) {
    store_four(sums + strip_vectors * k, sum[k]);
  }
}

void spread(const double* entries, std::ptrdiff_t rows, const double* t, double* y) {
  Four row[strip_width];
  for (int k = 0; k < strip_width; ++k) {
    row[k] = load_four(t + strip_vectors * k);
  }
  for (std::ptrdiff_t p = 0; p < rows; ++p) {
    const double* e = entries + strip_width * p;
    // Two sums: neither waits for the other.
    Four even = load_four(y + strip_vectors * p);
    Four odd = row[1] * e[1];
    even += row[0] * e[0];
    for (int k = 2; k < strip_width; k += 2) {
      even += row[k] * e[k];
      odd += row[k + 1] * e[k + 1];
    }
    store_four(y + strip_vectors * p, even + odd);
  }
}

/// Four rows of the tile: as many sums as registers hold.
void update_half(const double* a, const double* b, std::ptrdiff_t rows, double* tile) {
  Four low[half];
  Four high[half];
  for (int k = 0; k < half; ++k) {
    low[k] = load_four(tile + strip_width * k);
    high[k] = load_four(tile + strip_width * k + half);
  }
  for (std::ptrdiff_t p = 0; p < rows; ++p) {
    const Four b_low = load_four(b + strip_width * p);
    const Four b_high = load_four(b + strip_width * p + half);
    for (int k = 0; k < half; ++k) {
      const double factor = a[strip_width * p + k];
      low[k] += b_low * factor;
      high[k] += b_high * factor;
    }
  }
  for (int k = 0; k < half; ++k) {
    store_four(tile + strip_width * k, low[k]);
    store_four(tile + strip_width * k + half, high[k]);
  }
}

void update(const double* a, const double* b, std::ptrdiff_t rows, double* tile) {
  update_half(a, b, rows, tile);
  update_half(a + half, b, rows, tile + half * strip_width);
}

}  // namespace

StripLoops strip_loops() { return {distances, cut, scale, gather, spread, update}; }

}  // namespace itomap::detail::ITOMAP_INSTRUCTION_SET
