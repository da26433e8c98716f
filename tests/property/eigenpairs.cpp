// Eigenpairs are eigenpairs, left and right; none near the top is missing, however often it is repeated.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "core/dense_algebra.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/reference.hpp"
#include "support/statistics.hpp"

namespace itomap::property_eigenpairs {
using namespace detail;

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

constexpr Index count = 6;

Eigen::MatrixXcd complex_columns(const Eigenfunctions& functions) {
  Eigen::MatrixXcd columns = functions.re.cast<std::complex<double>>();
  if (!functions.is_real()) {
    columns.imag() = functions.im;
  }
  return columns;
}

/// Every computed eigenvalue is one of P's, counted with multiplicity, and nothing above the last one is missing.
void check_none_missing(const Eigen::VectorXcd& computed, const Matrix& p, double tolerance) {
  const Eigen::VectorXcd all = reference::eigenvalues(p);
  std::vector<std::complex<double>> rest(all.begin(), all.end());
  for (const auto& mu : computed) {
    RC_ASSERT(statistics::take_nearest(rest, mu) <= tolerance);
  }
  for (const auto& left : rest) {
    RC_ASSERT(left.real() <= computed[computed.size() - 1].real() + tolerance);
  }
}

/// The largest singular value, from the real symmetric matrix with the eigenvalues of V^H V, each twice.
double norm_of(const ComplexMatrix& v) {
  const ComplexMatrix gram = v.adjoint() * v;
  Matrix real(2 * gram.rows(), 2 * gram.cols());
  real << gram.real(), -gram.imag(), gram.imag(), gram.real();
  return std::sqrt(symmetric_values(real).maxCoeff());
}

/// How much an eigenvalue can move when the matrix does: 1 for a reversible chain, larger without detailed balance.
double condition(const Matrix& p) {
  const ComplexMatrix v = general_pairs(p).vectors;
  return norm_of(v) * norm_of(solved(v, ComplexMatrix::Identity(v.rows(), v.cols())));
}

RC_GTEST_PROP(Eigenpairs, RightAndLeft, (ProblemShape shape)) {
  shape.points += count + 2;
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const Spectrum s = eigenpairs(map, {.count = count});
    const Eigen::MatrixXcd psi = complex_columns(s.eigenfunctions);
    const Eigen::MatrixXcd phi = complex_columns(s.left_eigenfunctions);
    const Eigen::MatrixXcd p = samples::markov_matrix(map).cast<std::complex<double>>();
    const Eigen::VectorXcd mu = 1.0 + map.epsilon() * s.eigenvalues.array();
    for (Index n = 0; n <= count; ++n) {
      RC_LOG() << "pair " << n;
      RC_ASSERT(s.status[std::size_t(n)] == PairStatus::Converged);
      RC_ASSERT((p * psi.col(n) - mu[n] * psi.col(n)).norm() <= 1e-8 * psi.col(n).norm());
      RC_ASSERT((phi.col(n).transpose() * p - mu[n] * phi.col(n).transpose()).norm() <= 1e-8 * phi.col(n).norm());
    }
  }
}

RC_GTEST_PROP(Eigenpairs, Biorthonormal, (ProblemShape shape)) {
  shape.points += count + 2;
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const Spectrum s = eigenpairs(map, {.count = count});
    const Eigen::MatrixXcd psi = complex_columns(s.eigenfunctions);
    const Eigen::MatrixXcd phi = complex_columns(s.left_eigenfunctions);
    const Eigen::MatrixXcd product = phi.transpose() * psi;
    RC_LOG() << product.real();
    RC_ASSERT((product - Eigen::MatrixXcd::Identity(product.rows(), product.cols())).cwiseAbs().maxCoeff() <= 1e-6);
  }
}

RC_GTEST_PROP(Eigenpairs, Normalised, (ProblemShape shape)) {
  shape.points += count + 2;
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const Spectrum s = eigenpairs(map, {.count = count});
    RC_ASSERT(std::abs(s.eigenvalues[0]) * map.epsilon() <= 1e-9);
    RC_ASSERT((s.eigenfunctions.col(0).array() - 1.0).abs().maxCoeff() <= 1e-9);
    RC_ASSERT(s.stationary.minCoeff() >= 0.0);
    RC_ASSERT(std::abs(s.stationary.sum() - 1.0) <= 1e-12);
    const Eigen::MatrixXcd psi = complex_columns(s.eigenfunctions);
    for (Index n = 0; n <= count; ++n) {
      RC_ASSERT(std::abs(s.stationary.dot(psi.col(n).cwiseAbs2()) - 1.0) <= 1e-9);
    }
  }
}

RC_GTEST_PROP(Eigenpairs, NoneIsMissing, (ProblemShape shape)) {
  shape.points += count + 2;
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const Matrix p = samples::markov_matrix(map);
    // Of modes on a handful of points only so many are listed, and most modes of so few points are such.
    const Spectrum s = eigenpairs(map, {.count = count, .spurious_error = 0.9});
    const double tolerance = map.reversible() ? 1e-8 : 1e-8 * condition(p);
    check_none_missing(1.0 + map.epsilon() * s.eigenvalues.array(), p, tolerance);
  }
}

}  // namespace itomap::property_eigenpairs
