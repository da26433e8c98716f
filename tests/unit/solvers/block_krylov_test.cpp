#include "solvers/block_krylov.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "itomap/core/error.hpp"
#include "solvers/invariant_subspace.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

LinearOperator diagonal(const Vector& values) {
  return {values.size(), true, [values](PointsView x) -> Block { return values.asDiagonal() * x; }};
}

/// 1, then each value of `copies` times, then a tail that decays to 0.
Vector repeated(Index size, std::initializer_list<double> leading, Index copies) {
  Vector values = Vector::LinSpaced(size, 0.5, 0.0);
  Index k = 0;
  for (const double value : leading) {
    for (Index c = 0; c < copies; ++c) {
      values[(37 * k++) % size] = value;
    }
  }
  return values;
}

/// Eigenvalues of `a` on the span of an orthonormal basis.
Eigen::VectorXcd ritz_values(const LinearOperator& a, const Block& basis) {
  return projected_pairs(inner(basis, a.apply(basis)), a.symmetric).values;
}

TEST(BlockKrylov, FindsTheLeadingEigenvaluesOfASymmetricMatrix) {
  const auto a = diagonal(Vector::LinSpaced(500, 1.0, 0.0).array().square());
  const auto result = block_krylov(a, Block(500, 0), {.wanted = 6, .tolerance = 1e-10});
  ASSERT_TRUE(result.converged);
  for (Index n = 0; n < 6; ++n) {
    EXPECT_NEAR(result.ritz[n].real(), std::pow(1.0 - double(n) / 499.0, 2), 1e-12);
  }
  const Matrix gram = result.basis.transpose() * result.basis;
  EXPECT_LT((gram - Matrix::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BlockKrylov, ZeroIsNotFoundBeforeWhatLeads) {
  // Of rank one: all but one direction is mapped to zero at once, and whether the first products show the other one
  // above or below zero is a matter of chance.
  const Index n = 130;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Vector left = Vector::Unit(n, 17) + 0.1 * samples::normal(n, 1, seed);
    const Vector right = Vector::Unit(n, 17) + samples::normal(n, 1, 100 + seed);
    const double factor = 0.6 / left.dot(right);
    const auto apply = [&](PointsView x) -> Block { return factor * right * (left.transpose() * x); };
    const auto result = block_krylov({n, false, apply}, Block(n, 0), {.wanted = 1, .tolerance = 1e-9, .seed = seed});
    ASSERT_TRUE(result.converged);
    EXPECT_NEAR(result.ritz[0].real(), 0.6, 1e-9) << seed;
  }
}

TEST(BlockKrylov, FindsComplexPairsOfARotation) {
  // Blocks r (cos t, -sin t; sin t, cos t) on the diagonal.
  const Index pairs = 150;
  const auto modulus = [](Index k) { return 0.99 * std::exp(-0.05 * double(k)); };
  const auto apply = [=](PointsView x) -> Block {
    Block y(x.rows(), x.cols());
    for (Index k = 0; k < pairs; ++k) {
      const double c = modulus(k) * std::cos(0.3);
      const double s = modulus(k) * std::sin(0.3);
      y.row(2 * k) = c * x.row(2 * k) - s * x.row(2 * k + 1);
      y.row(2 * k + 1) = s * x.row(2 * k) + c * x.row(2 * k + 1);
    }
    return y;
  };
  const auto result = block_krylov({2 * pairs, false, apply}, Block(2 * pairs, 0), {.wanted = 3});
  ASSERT_EQ(result.ritz.size(), 4) << "a conjugate pair is not cut";
  ASSERT_TRUE(result.converged);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(std::abs(result.ritz[2 * k] - std::polar(modulus(k), 0.3)), 0.0, 1e-9);
    EXPECT_EQ(result.ritz[2 * k + 1], std::conj(result.ritz[2 * k]));
  }
}

TEST(BlockKrylov, WorksInTheComplementOfWhatIsKnown) {
  Block known = Block::Zero(500, 2);
  known(0, 0) = known(1, 1) = 1.0;
  const auto a = diagonal(Vector::LinSpaced(500, 1.0, 0.0));
  const auto result = block_krylov(a, known, {.wanted = 2});
  EXPECT_NEAR(result.ritz[0].real(), 1.0 - 2.0 / 499.0, 1e-9);
}

TEST(BlockKrylov, GivesUpWithAStatusNotAnException) {
  const auto a = diagonal(Vector::LinSpaced(5000, 1.0, 0.999));
  const auto result = block_krylov(a, Block(5000, 0), {.wanted = 4, .tolerance = 1e-12, .max_products = 60});
  EXPECT_FALSE(result.converged);
  EXPECT_LE(result.products, 60);
  EXPECT_GT(result.residuals.maxCoeff(), 1e-12);
}

TEST(BlockKrylov, SurvivesAnInvariantSubspaceSmallerThanTheBlock) {
  Vector values = Vector::Zero(300);
  values[3] = 1.0;  // rank one: the Krylov space ends at once
  const auto result = block_krylov(diagonal(values), Block(300, 0), {.wanted = 2});
  ASSERT_TRUE(result.converged);
  EXPECT_NEAR(result.ritz[0].real(), 1.0, 1e-12);
  EXPECT_NEAR(result.ritz[1].real(), 0.0, 1e-12);
}

TEST(InvariantSubspace, SweepsFindMoreCopiesThanTheBlockIsWide) {
  for (const Index copies : {1, 4, 6, 11}) {
    const auto a = diagonal(repeated(600, {0.9, 0.8}, copies));
    const auto found = leading_subspace(a, Block(600, 0), {.wanted = 2 * copies});
    ASSERT_TRUE(found.converged);
    EXPECT_TRUE(found.complete);
    const auto values = ritz_values(a, found.basis);
    for (Index n = 0; n < 2 * copies; ++n) {
      EXPECT_NEAR(values[n].real(), n < copies ? 0.9 : 0.8, 1e-9) << copies << " copies, value " << n;
    }
  }
}

TEST(InvariantSubspace, SmallMatricesAreSolvedWhole) {
  const Matrix dense = 0.1 * samples::normal(12, 12, 3);
  const LinearOperator a{12, false, [&](PointsView x) -> Block { return dense * x; }};
  const auto found = leading_subspace(a, Block(12, 0), {.wanted = 11});
  const auto exact = projected_pairs(dense, false).values;
  const auto values = ritz_values(a, found.basis);
  for (Index n = 0; n < 11; ++n) {
    EXPECT_NEAR(std::abs(values[n] - exact[n]), 0.0, 1e-12);
  }
}

TEST(Orthonormalise, MarksDependentColumns) {
  Block w = random_block(50, 3, 1);
  w.col(2) = 2.0 * w.col(0) - w.col(1);
  const Block before = w;
  std::vector<Index> dependent;
  const Matrix r = orthonormalise(w, 1e-12, dependent);
  EXPECT_EQ(dependent, std::vector<Index>{2});
  EXPECT_LT((w * r - before).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace itomap
