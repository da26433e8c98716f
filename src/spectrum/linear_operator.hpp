// A square matrix as something that multiplies blocks of vectors.
#pragma once

#include <complex>
#include <functional>
#include <memory>

#include "itomap/core/types.hpp"
#include "itomap/kernel/condensed_operator.hpp"

namespace itomap {

struct LinearOperator {
  Index size = 0;
  bool symmetric = false;
  int threads = 0;
  std::function<Block(PointsView x)> apply;
  bool cheap = false;    ///< a product costs less than the orthogonalisation of its result
  Vector diagonal = {};  ///< of a symmetric matrix, where it is known
  /// The same matrix, or its transpose, in fewer unknowns; may be none.
  std::shared_ptr<const CondensedOperator> condensed = nullptr;
  bool transposed = false;
};

}  // namespace itomap
