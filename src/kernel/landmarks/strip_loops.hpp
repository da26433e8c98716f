// The inner loops of the landmarks engine: some points against eight landmarks at a time, a strip.
//
// What a strip holds of the kernel lies point by point, eight numbers each. Compiled twice, for any processor and for
// one with AVX2 and FMA (strips_baseline.cpp, strips_avx2.cpp), and picked at run time; bodies are in strip_loops.inl.
#pragma once

#include <cstddef>

namespace itomap::detail {

constexpr int strip_width = 8;
/// Vectors that are multiplied at once.
constexpr int strip_vectors = 4;

struct StripLoops {
  /// u = |x - z|^2 for `rows` points x, one after the other, and the strip's z, one coordinate after the other.
  void (*distances)(const double* x, std::ptrdiff_t dimension, std::ptrdiff_t rows, const double* z, double* u);
  /// Entries below the cut-off become 0.
  void (*cut)(double* entries, std::ptrdiff_t count, double cutoff);
  /// Entries of each point times its number.
  void (*scale)(double* entries, std::ptrdiff_t rows, const double* factors);
  /// sums (8 x 4) += C^T X, X: rows x 4.
  void (*gather)(const double* entries, std::ptrdiff_t rows, const double* x, double* sums);
  /// Y (rows x 4) += C T, T: 8 x 4.
  void (*spread)(const double* entries, std::ptrdiff_t rows, const double* t, double* y);
  /// tile (8 x 8) += A^T B.
  void (*update)(const double* a, const double* b, std::ptrdiff_t rows, double* tile);
};

StripLoops strip_loops();

}  // namespace itomap::detail
