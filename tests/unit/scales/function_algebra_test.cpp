#include "scales/function_algebra.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Beside Eigen's own complex arithmetic.
Eigen::MatrixXcd as_matrix(const Eigenfunctions& f) {
  Eigen::MatrixXcd z = f.re.cast<std::complex<double>>();
  if (!f.is_real()) {
    z.imag() = f.im;
  }
  return z;
}

Eigenfunctions functions(Index cols, bool real, std::uint64_t seed) {
  return {samples::normal(40, cols, seed), real ? Block() : Block(samples::normal(40, cols, seed + 1))};
}

ComplexMatrix coefficients(bool real) {
  ComplexMatrix c = samples::normal(3, 2, 5).cast<std::complex<double>>();
  if (!real) {
    c.imag() = samples::normal(3, 2, 6);
  }
  return c;
}

class FunctionAlgebra : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  bool first_real() const { return std::get<0>(GetParam()); }
  bool second_real() const { return std::get<1>(GetParam()); }
  Eigenfunctions f = functions(3, first_real(), 1);
  Eigenfunctions g = functions(3, second_real(), 3);
};

TEST_P(FunctionAlgebra, ProductsAreThoseOfComplexMatrices) {
  const Eigen::MatrixXcd gram = as_matrix(f).transpose() * as_matrix(g);
  EXPECT_LT((inner_products(f, g) - gram).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((column_products(f, g) - gram.diagonal()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(FunctionAlgebra, ConjugateProductsWithWeights) {
  const Vector weights = samples::normal(40, 1, 9).col(0).array().exp();
  const Eigen::MatrixXcd gram = as_matrix(f).adjoint() * weights.asDiagonal() * as_matrix(g);
  EXPECT_LT((conjugate_products(f, g, weights) - gram.diagonal()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(FunctionAlgebra, CombinationsAndFactorsToo) {
  const ComplexMatrix c = coefficients(second_real());
  const Eigenfunctions h = combined(f, c);
  EXPECT_EQ(h.is_real(), first_real() && second_real());
  EXPECT_LT((as_matrix(h) - as_matrix(f) * c).cwiseAbs().maxCoeff(), 1e-12);
  const ComplexVector factors = c.col(0);
  const Eigenfunctions scaled = scaled_columns(f, factors);
  EXPECT_EQ(scaled.is_real(), first_real() && second_real());
  EXPECT_LT((as_matrix(scaled) - as_matrix(f) * factors.asDiagonal()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(FunctionAlgebra, SumsToo) {
  for (const bool real : {true, false}) {
    const ComplexVector factors = coefficients(real).col(0);
    const Eigenfunctions h = added(f, g, factors);
    EXPECT_EQ(h.is_real(), first_real() && second_real() && real);
    EXPECT_LT((as_matrix(h) - as_matrix(f) - as_matrix(g) * factors.asDiagonal()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST_P(FunctionAlgebra, PartsOfFunctions) {
  EXPECT_EQ(as_matrix(on_rows(f, {3, 1})), as_matrix(f)({3, 1}, Eigen::all));
  EXPECT_EQ(as_matrix(columns_of(f, {2, 0})), as_matrix(f)(Eigen::all, {2, 0}));
  const Eigen::MatrixXcd more = as_matrix(with_conjugate_of_last(f));
  EXPECT_EQ(more.leftCols(3), as_matrix(f));
  EXPECT_EQ(more.col(3), as_matrix(f).col(2).conjugate());
}

INSTANTIATE_TEST_SUITE_P(RealAndComplex, FunctionAlgebra, testing::Combine(testing::Bool(), testing::Bool()));

TEST(SimplifiedFunctions, LoseAnImaginaryPartThatIsNotThere) {
  Eigenfunctions f = functions(2, false, 1);
  EXPECT_FALSE(simplified(f).is_real());
  f.im.setZero();
  EXPECT_TRUE(simplified(f).is_real());
}

}  // namespace
}  // namespace itomap
