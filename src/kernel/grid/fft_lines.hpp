// One-dimensional Fourier transforms of lines that lie side by side in memory: what an FFT library has to do for us.
//
// There are two of them, and a build has one: fft_lines_fftw.cpp, or fft_lines_kissfft.cpp where FFTW's licence is not
// wanted (docs/decisions/0009-fft-without-gpl.md).
#pragma once

#include <complex>
#include <memory>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Transforms `count` lines of n numbers that are `stride` apart along a line, without the 1/n of the inverse.
class FftLines {
 public:
  enum class Direction { Forward, Backward };

  /// Name and version of the library in use.
  static const char* library();

  FftLines(Index n, Index count, Index stride, Direction direction);
  ~FftLines();
  FftLines(const FftLines&) = delete;
  FftLines& operator=(const FftLines&) = delete;

  /// In place, the same bits in every run; x is aligned to 16 bytes. Threads may call this at once on different lines.
  void execute(std::complex<double>* x) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace itomap::detail
