#include "core/dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

template <class Solver>
const Solver& checked(const Solver& solver) {
  if (solver.info() != Eigen::Success) {
    throw NumericalError("a small dense eigenproblem did not converge; check the input for huge or tiny values");
  }
  return solver;
}

}  // namespace

SymmetricEigen symmetric_pairs(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {checked(solver).eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_values(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a, Eigen::EigenvaluesOnly);
  return checked(solver).eigenvalues();
}

GeneralEigen general_pairs(const Matrix& a) {
  const Eigen::EigenSolver<Matrix> solver(a);
  return {checked(solver).eigenvalues(), solver.eigenvectors().colwise().normalized()};
}

GeneralEigen general_pairs(const ComplexMatrix& a) {
  const Eigen::ComplexEigenSolver<ComplexMatrix> solver(a);
  return {checked(solver).eigenvalues(), solver.eigenvectors().colwise().normalized()};
}

ComplexVector general_values(const Matrix& a) {
  const Eigen::EigenSolver<Matrix> solver(a, /*computeEigenvectors=*/false);
  return checked(solver).eigenvalues();
}

Matrix solved(const Matrix& a, const Matrix& b) { return a.fullPivLu().solve(b); }
Matrix inverted(const Matrix& a) { return a.fullPivLu().inverse(); }
ComplexMatrix solved(const ComplexMatrix& a, const ComplexMatrix& b) { return a.fullPivLu().solve(b); }

Matrix least_squares(const Matrix& a, const Matrix& b) { return a.completeOrthogonalDecomposition().solve(b); }

Matrix null_vectors(const Matrix& a, Index count) {
  // The complement of the rows of A: pivoting leaves what they do not reach for the end.
  const Matrix q = Eigen::ColPivHouseholderQR<Matrix>(a.transpose()).householderQ();
  return q.rightCols(count);
}

Matrix orthogonal_factor(const Matrix& a, Index count) {
  return Eigen::HouseholderQR<Matrix>(a).householderQ() * Matrix::Identity(a.rows(), count);
}

}  // namespace itomap
