// A square matrix as something that multiplies blocks of vectors, and its products counted.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "itomap/core/types.hpp"
#include "kernel/condensed_operator.hpp"

namespace itomap::detail {

class CoarseSpace;

/// Where the unknowns of an operator lie, and what right and left eigenvectors of slow modes are there but for a smooth
/// factor; both 0 where that is not known.
struct Places {
  Points position = {};
  Vector right = {};
  Vector left = {};
};

struct LinearOperator {
  Index size = 0;
  bool symmetric = false;
  std::function<Block(PointsView x)> apply;
  bool cheap = false;    ///< a product costs less than the orthogonalisation of its result
  Vector diagonal = {};  ///< of a symmetric matrix, where it is known
  /// The same matrix, or its transpose, in fewer unknowns; may be none.
  std::shared_ptr<const CondensedOperator> condensed = nullptr;
  bool transposed = false;
  /// A symmetric matrix that is near, in fewer unknowns, where the same one is not to be had; may be none.
  std::shared_ptr<const CondensedOperator> rough = nullptr;
  /// That of A itself, whichever side this is, and that of its condensed form; may be none.
  std::shared_ptr<const CoarseSpace> coarse = nullptr;
  std::shared_ptr<const CoarseSpace> condensed_coarse = nullptr;
  /// Rows and columns of zeros that are no part of the matrix: vectors are zero there.
  std::vector<Index> absent = {};

  Index dimension() const { return size - Index(absent.size()); }

  /// Vectors of random entries.
  Block random(Index columns, std::uint64_t seed) const {
    Block x = random_block(size, columns, seed);
    x(absent, Eigen::all).setZero();
    return x;
  }
};

/// Products with single vectors, and the time they took.
struct ProductTally {
  Index products = 0;
  double seconds = 0.0;
};

/// A, whose products are added to the tally, which must outlive it.
LinearOperator counted(LinearOperator a, ProductTally& tally);

}  // namespace itomap::detail
