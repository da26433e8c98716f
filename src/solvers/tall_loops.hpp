// The inner loops of the algebra with tall, thin blocks: four columns W against many columns V, row by row.
//
// Compiled twice, for any processor and for one with AVX2 and FMA (tall_baseline.cpp, tall_avx2.cpp), and picked at run
// time; their bodies are in tall_loops.inl.
#pragma once

#include <cstddef>

namespace itomap::detail {

constexpr int tall_lanes = 4;

struct TallLoops {
  /// sums (columns x 4) += V^T W; V has `columns` columns and rows `stride` apart, W is rows x 4.
  void (*inner)(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* w, std::ptrdiff_t rows,
                double* sums);
  /// W -= V H, H: columns x 4.
  void (*subtract)(const double* v, std::ptrdiff_t stride, std::ptrdiff_t columns, const double* h, std::ptrdiff_t rows,
                   double* w);
};

TallLoops tall_loops();

}  // namespace itomap::detail
