// Decompositions of small dense matrices, compiled once: Eigen's take many seconds in every file that names them.
#pragma once

#include <complex>

#include "itomap/core/types.hpp"

namespace itomap::detail {

using ComplexVector = Eigen::VectorXcd;
using ComplexMatrix = Eigen::MatrixXcd;

/// Eigenpairs of a symmetric matrix, ascending; its lower triangle is read. Throws NumericalError if it fails.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_pairs(const Matrix& a);
Vector symmetric_values(const Matrix& a);

/// Eigenpairs of any square matrix, in no order, with unit vectors. Throws NumericalError if it fails.
struct GeneralEigen {
  ComplexVector values;
  ComplexMatrix vectors;
};
/// A conjugate pair comes side by side. Copies of a real eigenvalue have orthonormal vectors, if it has as many.
GeneralEigen general_pairs(const Matrix& a);
GeneralEigen general_pairs(const ComplexMatrix& a);
ComplexVector general_values(const Matrix& a);

/// A^-1 B with full pivoting, for a matrix that may be close to singular.
Matrix solved(const Matrix& a, const Matrix& b);
ComplexMatrix solved(const ComplexMatrix& a, const ComplexMatrix& b);

Matrix inverted(const Matrix& a);

/// The X of least norm among those that come closest to A X = B.
Matrix least_squares(const Matrix& a, const Matrix& b);

/// `count` orthonormal vectors that A maps to zero, or as near to it as so many can be.
Matrix null_vectors(const Matrix& a, Index count);

/// The first `count` columns of Q in A = Q R: those of A made orthonormal, then a basis of their complement.
Matrix orthogonal_factor(const Matrix& a, Index count);

}  // namespace itomap::detail
