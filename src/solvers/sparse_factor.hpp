// Sparse systems that are solved again and again.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// By columns.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// The factors of a square sparse matrix.
class SparseFactor {
 public:
  virtual ~SparseFactor() = default;

  /// Nothing if the matrix is singular, or not positive definite.
  static std::unique_ptr<const SparseFactor> general(const SparseMatrix& a);
  static std::unique_ptr<const SparseFactor> positive(const SparseMatrix& a);

  /// A^-1 B.
  virtual Matrix solved(const Matrix& b) const = 0;
};

}  // namespace itomap::detail
