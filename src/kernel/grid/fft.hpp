// Fourier filters on a regular grid, threaded by us whatever the FFT library.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// A box of complex numbers inside a larger array in C order, `interleaved` of them at every grid point.
struct GridShape {
  int dimension = 0;
  std::array<Index, 3> size{1, 1, 1};    ///< points along each axis that take part in the transform
  std::array<Index, 3> stored{1, 1, 1};  ///< points along each axis in memory
  std::array<Index, 3> offset{0, 0, 0};  ///< of the first that takes part
  Index interleaved = 1;

  /// Complex numbers in memory.
  Index total() const { return stored[0] * stored[1] * stored[2] * interleaved; }
};

/// Name and version of the library in use.
const char* fft_library();

/// The smallest even number >= n whose prime factors are 2, 3 and 5.
Index fast_size(Index n);

/// x -> F^-1 D F x, without the 1/size of the inverse, where D is the product of one factor per axis.
class FourierFilter {
 public:
  FourierFilter(const GridShape& shape, std::array<std::vector<double>, 3> factors);
  ~FourierFilter();
  FourierFilter(const FourierFilter&) = delete;
  FourierFilter& operator=(const FourierFilter&) = delete;

  /// Memory with the alignment that the transforms want, filled with zeros.
  struct Free {
    void operator()(std::complex<double>* memory) const;
  };
  using Buffer = std::unique_ptr<std::complex<double>[], Free>;
  Buffer zeros() const;

  /// In place; the same bits for any number of threads.
  void apply(std::complex<double>* grid) const;

 private:
  struct Plans;

  void transform_axis(std::complex<double>* grid, int axis, bool forward) const;
  void filter_lines(std::complex<double>* grid) const;

  GridShape shape_;
  std::array<std::vector<double>, 3> factors_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace itomap::detail
