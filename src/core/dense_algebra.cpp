#include "core/dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

template <class Solver>
const Solver& checked(const Solver& solver) {
  if (solver.info() != Eigen::Success) {
    throw NumericalError("a small dense eigenproblem did not converge; check the input for huge or tiny values");
  }
  return solver;
}

/// Positions of real eigenvalues that are the same but for rounding, also where that has made them complex.
std::vector<std::vector<Index>> real_copies(const ComplexVector& values, double rounding) {
  std::vector<Index> order;
  for (Index n = 0; n < values.size(); ++n) {
    if (std::abs(values[n].imag()) <= rounding) {
      order.push_back(n);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return values[i].real() > values[j].real(); });
  std::vector<std::vector<Index>> groups;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || values[order[k - 1]].real() - values[order[k]].real() > rounding) {
      groups.emplace_back();
    }
    groups.back().push_back(order[k]);
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

/// The vectors that an algorithm finds for copies of an eigenvalue may be next to parallel. Where its eigenspace has as
/// many dimensions as there are copies, an orthonormal basis of it takes their place.
void span_eigenspace(const Matrix& a, const std::vector<Index>& copies, double rounding, GeneralEigen& pairs) {
  const double mu = pairs.values(copies).real().mean();
  const Matrix shifted = a - mu * Matrix::Identity(a.rows(), a.cols());
  const Matrix basis = null_vectors(shifted, Index(copies.size()));
  if ((shifted * basis).norm() <= double(copies.size()) * rounding) {
    pairs.values(copies).setConstant(mu);
    pairs.vectors(Eigen::all, copies) = basis.cast<std::complex<double>>();
  }
}

/// Squares of entries below this underflow, and decompositions with them: next to nothing is nothing.
constexpr double next_to_nothing = 1e-150;

/// A fixed rotation of no special direction. Now and then Eigen's QR iteration goes round in circles, however long one
/// lets it, or divides by subnormal differences of eigenvalues; for a rotated matrix, which has the same eigenvalues,
/// it takes another way.
Matrix rotation(Index size) { return orthogonal_factor(random_block(size, size, 1), size); }

GeneralEigen decomposed(const Matrix& a) {
  if (!a.allFinite()) {
    throw NumericalError(
        "a small dense matrix has entries that are no numbers; check the input for huge or tiny values");
  }
  if (a.size() > 0 && a.cwiseAbs().maxCoeff() < next_to_nothing) {
    return {ComplexVector::Zero(a.rows()), ComplexMatrix::Identity(a.rows(), a.cols())};
  }
  const Eigen::EigenSolver<Matrix> solver(a);
  if (solver.info() == Eigen::Success && solver.eigenvectors().allFinite()) {
    return {solver.eigenvalues(), solver.eigenvectors().colwise().normalized()};
  }
  const Matrix q = rotation(a.rows());
  const Eigen::EigenSolver<Matrix> rotated(q.transpose() * a * q);
  return {checked(rotated).eigenvalues(), (q * rotated.eigenvectors()).colwise().normalized()};
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
  GeneralEigen pairs = decomposed(a);
  const double rounding = 32.0 * std::numeric_limits<double>::epsilon() * a.norm();
  for (const auto& copies : real_copies(pairs.values, rounding)) {
    span_eigenspace(a, copies, rounding, pairs);
  }
  return pairs;
}

GeneralEigen general_pairs(const ComplexMatrix& a) {
  const Eigen::ComplexEigenSolver<ComplexMatrix> solver(a);
  return {checked(solver).eigenvalues(), solver.eigenvectors().colwise().normalized()};
}

ComplexVector general_values(const Matrix& a) {
  const Eigen::EigenSolver<Matrix> solver(a, /*computeEigenvectors=*/false);
  return solver.info() == Eigen::Success ? ComplexVector(solver.eigenvalues()) : decomposed(a).values;
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

}  // namespace itomap::detail
