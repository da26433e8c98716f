#include "solvers/orthogonal.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "solvers/sparse_factor.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Rows that are no multiple of a slice, and columns of V of all remainders.
constexpr Index rows = 2500;

double largest_difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(TallBlocks, ProductsAreThoseOfPlainMatricesAtAnyWidth) {
  for (const Index columns : {1, 3, 6, 11, 16}) {
    for (Index width = 1; width <= 17; ++width) {
      const Block v = random_block(rows, columns, 1);
      const Block all = random_block(rows, width + 2, 2);
      const auto w = all.middleCols(1, width);  // rows farther apart than they are long
      const Matrix h = inner(v, w);
      EXPECT_LT(largest_difference(h, v.transpose() * w), 1e-10) << columns << ' ' << width;
      Block rest = w;
      subtract_product(v, h, rest);
      EXPECT_LT(largest_difference(rest, w - v * h), 1e-9) << columns << ' ' << width;
    }
  }
}

TEST(TallBlocks, WhatIsProjectedOutIsOrthogonalToTheLastDigit) {
  Block v = random_block(rows, 13, 3);
  std::vector<Index> dependent;
  orthonormalise(v, breakdown, dependent);
  // Nearly all of it in the space: one pass would leave what rounding made of that.
  const Block small = 1e-8 * random_block(rows, 9, 4);
  Block w = v * random_block(13, 9, 5) + small;
  const Matrix before = v.transpose() * w;
  EXPECT_LT(largest_difference(project_out(v, w), before), 1e-13);
  EXPECT_LT((v.transpose() * w).norm(), 1e-20 + 1e-14 * w.norm());
}

TEST(SparseFactor, SolvesAndSaysWhatCannotBeSolved) {
  SparseMatrix a(3, 3);
  a.insert(0, 0) = 2.0;
  a.insert(1, 0) = 1.0;
  a.insert(1, 1) = 3.0;
  a.insert(2, 2) = -4.0;
  a.makeCompressed();
  const Matrix b = Matrix::Random(3, 2);
  const auto factor = SparseFactor::general(a);
  ASSERT_NE(factor, nullptr);
  EXPECT_LT((Matrix(a) * factor->solved(b) - b).norm(), 1e-14);
  EXPECT_EQ(SparseFactor::positive(a), nullptr);  // -4
  a.coeffRef(2, 2) = 0.0;
  EXPECT_EQ(SparseFactor::general(a), nullptr);
}

}  // namespace
}  // namespace itomap
