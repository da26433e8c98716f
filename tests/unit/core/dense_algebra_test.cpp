#include "core/dense_algebra.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// A chain of n states of which the first few are never left.
Matrix absorbing_chain(Index n, Index ends, std::uint64_t seed) {
  Matrix p = samples::normal(n, n, seed).cwiseAbs();
  p.array().colwise() /= p.rowwise().sum().array().eval();
  p.topRows(ends) = Matrix::Identity(ends, n);
  return p;
}

TEST(GeneralPairs, CopiesOfAnEigenvalueHaveOrthonormalVectors) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix q = orthogonal_factor(samples::normal(9, 9, 100 + seed), 9);
    const Matrix a = q * absorbing_chain(9, 4, seed) * q.transpose();
    const GeneralEigen pairs = general_pairs(a);
    std::vector<Index> ones;
    for (Index n = 0; n < 9; ++n) {
      if (std::abs(pairs.values[n] - 1.0) < 1e-12) {
        ones.push_back(n);
      }
    }
    ASSERT_EQ(ones.size(), 4U);
    const ComplexMatrix vectors = pairs.vectors(Eigen::all, ones);
    EXPECT_LT((a * vectors - vectors).norm(), 1e-12);
    EXPECT_LT((vectors.adjoint() * vectors - ComplexMatrix::Identity(4, 4)).norm(), 1e-12);
  }
}

TEST(GeneralPairs, DefectiveEigenvaluesKeepTheirVectors) {
  Matrix a = 0.5 * Matrix::Identity(3, 3);
  a(0, 1) = 1.0;
  const GeneralEigen pairs = general_pairs(a);
  EXPECT_LT((a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-7);
}

TEST(GeneralPairs, NextToNothingIsZero) {
  const GeneralEigen pairs = general_pairs(Matrix(1e-303 * samples::normal(6, 6, 1)));
  EXPECT_EQ(pairs.values.norm(), 0.0);
  EXPECT_LT((pairs.vectors.adjoint() * pairs.vectors - ComplexMatrix::Identity(6, 6)).norm(), 1e-12);
}

TEST(GeneralPairs, AnIterationThatGoesRoundInCirclesIsHelpedOut) {
  // Eigen's EigenSolver does not converge for this one: 1, -1 and 0 occur twice each, the first two defective.
  Matrix a(6, 6);
  a << 0, 0, 0, 0, 1, 0,  //
      1, 0, 0, 0, 0, 0,   //
      0, 0, 0, 0, 0, 0,   //
      0, 1, 0, 0, 0, 1,   //
      1, 0, 0, 0, 0, 0,   //
      1, 0, 0, 1, 0, 0;
  const GeneralEigen pairs = general_pairs(a);
  EXPECT_LT((a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-6);
  EXPECT_LT((pairs.values.real() - general_values(a).real()).norm(), 1e-12);
  EXPECT_NEAR(pairs.values.real().maxCoeff(), 1.0, 1e-6);
}

TEST(GeneralPairs, SubnormalEigenvaluesHaveFiniteVectors) {
  Matrix a(3, 3);
  a << 1, 0, 0,      //
      0, 5e-314, 1,  //
      0, 0, 1e-313;
  const GeneralEigen pairs = general_pairs(a);
  ASSERT_TRUE(pairs.vectors.allFinite());
  EXPECT_LT((a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-7);
}

TEST(NullVectors, SpanWhatTheMatrixMapsToZero) {
  const Matrix a = samples::normal(4, 10, 1);
  const Matrix null = null_vectors(a, 6);
  EXPECT_LT((a * null).norm(), 1e-13);
  EXPECT_LT((null.transpose() * null - Matrix::Identity(6, 6)).norm(), 1e-13);
}

}  // namespace
}  // namespace itomap
