#include "solvers/davidson.hpp"

#include <gtest/gtest.h>

#include "core/dense_algebra.hpp"
#include "core/random.hpp"
#include "generator/generator.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "solvers/invariant_subspace.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Forty outliers with eigenvalues about 1 - 1e-4 k, weakly tied to a chain with smooth modes.
Matrix outliers_on_a_chain(Index size) {
  Matrix a = Matrix::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    a(i, i) = i < 40 ? 1.0 - 1e-4 * double(i + 1) : 0.3;
    if (i >= 40 && i + 1 < size) {
      a(i, i + 1) = a(i + 1, i) = 0.25;
    }
    if (i < 40) {
      a(i, 40 + 7 * i) = a(40 + 7 * i, i) = 1e-3;
    }
  }
  return a;
}

LinearOperator with_diagonal(const Matrix& a) {
  LinearOperator result{a.rows(), true, [a](PointsView x) -> Block { return a * x; }};
  result.diagonal = a.diagonal();
  return result;
}

Vector leading_values(const Matrix& a, Index count) { return symmetric_values(a).reverse().head(count); }

TEST(Davidson, TellsOutliersApartInFewProducts) {
  const Matrix a = outliers_on_a_chain(400);
  const auto op = with_diagonal(a);
  ASSERT_TRUE(suits_davidson(op, 10));
  const auto result = davidson(op, Block(400, 0), {.wanted = 10, .tolerance = 1e-11});
  ASSERT_TRUE(result.converged);
  EXPECT_LT((result.ritz.real() - leading_values(a, 10)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(result.ritz.imag().cwiseAbs().maxCoeff(), 0.0);
  const auto krylov = block_krylov(op, Block(400, 0), {.wanted = 10, .tolerance = 1e-11});
  EXPECT_LT(5 * result.products, krylov.products);
}

TEST(Davidson, FindsSmoothModesAmongTheOutliers) {
  // Beyond the outliers, the top of the chain: 0.3 + 0.5 cos(pi k / (n + 1)).
  const Matrix a = outliers_on_a_chain(400);
  const auto result = davidson(with_diagonal(a), Block(400, 0), {.wanted = 44, .tolerance = 1e-9});
  ASSERT_TRUE(result.converged);
  EXPECT_LT((result.ritz.real() - leading_values(a, 44)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Davidson, WorksInTheComplementOfWhatIsKnown) {
  const Matrix a = outliers_on_a_chain(400);
  const SymmetricEigen exact = symmetric_pairs(a);
  const Block known = exact.vectors.rightCols(3);
  const auto result = davidson(with_diagonal(a), known, {.wanted = 4, .tolerance = 1e-10});
  ASSERT_TRUE(result.converged);
  EXPECT_LT((result.ritz.real() - leading_values(a, 7).tail(4)).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((known.transpose() * result.basis).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Davidson, AgreesWithItselfAcrossManyRestarts) {
  // Ten values 1e-6 apart, tied to each other: a space of 52 columns is filled several times over.
  Matrix a = outliers_on_a_chain(400);
  for (Index i = 0; i < 10; ++i) {
    a(i, i) = 0.999 + 1e-6 * double(i);
    a(i, i + 10) = a(i + 10, i) = 1e-3;
  }
  const auto result = davidson(with_diagonal(a), Block(400, 0), {.wanted = 9, .tolerance = 1e-12, .spare = 3});
  ASSERT_TRUE(result.converged);
  EXPECT_LT((result.ritz.real() - leading_values(a, 9)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(result.spare.cols(), 3);
  EXPECT_LT((result.basis.transpose() * result.spare).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(InvariantSubspace, GoesOnWhereMoreAreWanted) {
  const Matrix a = outliers_on_a_chain(400);
  for (const bool by_diagonal : {false, true}) {
    LinearOperator op = with_diagonal(a);
    op.cheap = !by_diagonal;
    SubspaceOptions options{.wanted = 5, .tolerance = 1e-10};
    options.more = [](const Block& found) { return found.cols() < 15 ? Index(5) : Index(0); };
    const auto found = leading_subspace(op, Block(400, 0), options);
    ASSERT_TRUE(found.converged && found.complete);
    ASSERT_EQ(found.basis.cols(), 15);
    const Matrix projected = found.basis.transpose() * a * found.basis;
    EXPECT_LT((leading_values(projected, 15) - leading_values(a, 15)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Davidson, IsNotUsedWhereNoRowIsNearlyDiagonal) {
  EXPECT_FALSE(suits_davidson(with_diagonal(0.5 * Matrix::Identity(100, 100)), 5));
}

TEST(Spectrum, OfANearlyDiagonalKernelIsThatOfItsMatrix) {
  const Points x = samples::normal(700, 8, 5);
  const auto map = diffusion_map(x, {.epsilon = 0.25, .alpha = 1.0});
  const auto spectrum = eigenpairs(map, {.count = 8});
  Block k(700, 700);
  const Generator& g = generator_of(map);
  g.kernel->apply(Block::Identity(700, 700), k);
  const Vector w = g.right_weights.cwiseQuotient(g.row_sums).cwiseSqrt();
  const Vector mu = leading_values(w.asDiagonal() * k * w.asDiagonal(), 9);
  ASSERT_GT((w.array().square() > 0.9).count(), 8) << "the kernel is meant to be nearly diagonal";
  const Vector found = 1.0 + map.epsilon() * spectrum.eigenvalues.real().array();
  ASSERT_GE(found.size(), 9);
  EXPECT_LT((found.head(9) - mu).cwiseAbs().maxCoeff(), 1e-10);
}

}  // namespace
}  // namespace itomap
