// A square matrix as something that multiplies blocks of vectors.
#pragma once

#include <complex>
#include <functional>

#include "itomap/core/types.hpp"

namespace itomap {

struct LinearOperator {
  Index size = 0;
  bool symmetric = false;
  int threads = 0;
  std::function<Block(PointsView x)> apply;
  bool cheap = false;  ///< a product costs less than the orthogonalisation of its result
};

}  // namespace itomap
