// The inner loops of the algebra with tall, thin blocks: four or eight columns W against many columns V, row by row.
//
// Compiled twice, for any processor and for one with AVX2 and FMA (tall_baseline.cpp, tall_avx2.cpp), and picked at run
// time; their bodies are in tall_loops.inl.
#pragma once

#include <cstddef>

namespace itomap::detail {

/// Columns of W that a loop takes: so many, or twice as many, with which each number of V serves two registers.
constexpr int tall_lanes = 4;
constexpr int wide_lanes = 2 * tall_lanes;

/// Some columns of a block of vectors, rows `stride` apart.
template <class Number>
struct TallColumns {
  Number* values;
  std::ptrdiff_t stride;
  std::ptrdiff_t count;
};

struct TallLoops {
  /// sums (columns of V x columns of W) += V^T W.
  void (*inner)(TallColumns<const double> v, TallColumns<const double> w, std::ptrdiff_t rows, double* sums);
  /// W -= V H, H: columns of V x columns of W.
  void (*subtract)(TallColumns<const double> v, const double* h, std::ptrdiff_t rows, TallColumns<double> w);
};

TallLoops tall_loops();

}  // namespace itomap::detail
