#include "solvers/rough_refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/dense_algebra.hpp"
#include "solvers/invariant_subspace.hpp"
#include "solvers/orthogonal.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr Index unknowns = 300;

/// Of a matrix L L^T.
class OfLowRank final : public CondensedOperator {
 public:
  explicit OfLowRank(Matrix l) : l_(std::move(l)) {}
  Index size() const override { return l_.cols(); }
  std::size_t memory() const override { return 0; }
  void apply(PointsView u, Eigen::Ref<Block> v) const override { v = l_.transpose() * (l_ * u); }
  void apply_transpose(PointsView u, Eigen::Ref<Block> v) const override { apply(u, v); }
  Block expand(PointsView u) const override { return l_ * u; }
  Block expand_transpose(PointsView u) const override { return l_ * u; }
  Block condense(PointsView f) const override { return l_.transpose() * f; }
  Block condense_transpose(PointsView f) const override { return l_.transpose() * f; }

 private:
  Matrix l_;
};

/// Eigenvalues 1, e^-0.05, e^-0.1, .. of which the second and the third are the same, and a matrix of rank 60 near it.
struct NearProblem {
  Matrix a;
  Matrix l;

  explicit NearProblem(double noise) {
    Vector values(unknowns);
    for (Index k = 0; k < unknowns; ++k) {
      values[k] = std::exp(-0.05 * double(k == 2 ? 1 : k));
    }
    const Matrix q = orthogonal_factor(samples::normal(unknowns, unknowns, 1), unknowns);
    constexpr Index rank = 60;
    a = q * values.asDiagonal() * q.transpose();
    l = q.leftCols(rank) * values.head(rank).cwiseSqrt().asDiagonal();
    l += noise * samples::normal(unknowns, rank, 2);
  }

  LinearOperator operation(Index& products) const {
    LinearOperator result{unknowns, true, [this, &products](PointsView x) -> Block {
                            products += x.cols();
                            return a * x;
                          }};
    result.rough = std::make_shared<const OfLowRank>(l);
    return result;
  }

  /// Largest part of A's leading vectors that the space does not hold.
  double missing(const Block& basis, Index count) const {
    Block leading = symmetric_pairs(a).vectors.rightCols(count);
    project_out(basis, leading);
    return column_norms(leading).maxCoeff();
  }
};

TEST(RoughRefinement, GivesTheSubspaceOfTheMatrixItself) {
  const NearProblem problem(1e-5);
  Index products = 0;
  const auto found =
      leading_subspace(problem.operation(products), Block(unknowns, 0), {.wanted = 6, .tolerance = 1e-10});
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(found.basis.cols(), 6);
  EXPECT_LT(problem.missing(found.basis, 6), 1e-8);
  EXPECT_GT(found.condensed_products, 0);
  EXPECT_LT(products, 60);
  EXPECT_EQ(found.products, products);
}

TEST(RoughRefinement, KnownVectorsStayOut) {
  const NearProblem problem(1e-5);
  const Block known = symmetric_pairs(problem.a).vectors.rightCols(1);
  Index products = 0;
  const auto found = leading_subspace(problem.operation(products), known, {.wanted = 5, .tolerance = 1e-10});
  EXPECT_TRUE(found.converged);
  ASSERT_EQ(found.basis.cols(), 5);
  EXPECT_LT(inner(known, found.basis).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(problem.missing(joined(known, found.basis), 6), 1e-8);
}

// Where the two are so far apart that leading vectors of one may be none of the other, the matrix itself is searched.
TEST(RoughRefinement, IsNotTrustedWhereItIsTooRough) {
  const NearProblem problem(0.02);
  Index products = 0;
  const auto found =
      leading_subspace(problem.operation(products), Block(unknowns, 0), {.wanted = 6, .tolerance = 1e-10});
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.complete);
  EXPECT_LT(problem.missing(found.basis.leftCols(6), 6), 1e-8);
  EXPECT_GT(products, 100);
}

}  // namespace
}  // namespace itomap
