#include "reproduce/evolution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

namespace itomap::reproduce {
namespace {

// x <- a x + noise in both coordinates: the eigenvalues are the products of powers of 0.9 and 0.5, the functions
// Hermite's polynomials.
Points linear_chain(Index steps, std::uint64_t seed) {
  samples::Random random(seed);
  Points chain = Points::Zero(steps, 2);
  for (Index t = 1; t < steps; ++t) {
    chain(t, 0) = 0.9 * chain(t - 1, 0) + std::sqrt(1 - 0.81) * random.normal();
    chain(t, 1) = 0.5 * chain(t - 1, 1) + std::sqrt(1 - 0.25) * random.normal();
  }
  return chain;
}

StepSums sums_of(const Points& functions) {
  const Index last = functions.rows() - 1;
  return step_sums(functions.topRows(last), functions.bottomRows(last));
}

TEST(Evolution, OfALinearProcess) {
  // 100,000 steps of memory 19 are 5,000 independent ones: mu is right to about 0.2 / 70 of it, log mu to 3 %.
  const Points chain = linear_chain(100000, 1);
  const Points functions = plane_polynomials(chain, 4.0, 3);
  ASSERT_EQ(functions.cols(), 10);
  const auto found = fit_evolution(sums_of(functions), 2);
  EXPECT_NEAR(found.timescales[0], -1 / std::log(0.9), 0.5);
  EXPECT_NEAR(found.timescales[1], -1 / std::log(0.81), 0.4);
  const Vector psi = functions * found.coefficients.col(0);
  const Vector x = chain.col(0);
  const Vector centred = psi.array() - psi.mean();
  EXPECT_GT(std::abs(centred.dot(x)) / (centred.norm() * x.norm()), 0.99);
}

TEST(Evolution, SumsOfPartsAddUp) {
  const Points functions = plane_polynomials(linear_chain(1000, 2), 4.0, 2);
  StepSums both;
  both += step_sums(functions.topRows(499), functions.middleRows(1, 499));
  both += step_sums(functions.middleRows(499, 500), functions.bottomRows(500));
  const auto whole = sums_of(functions);
  EXPECT_LT((both.gram - whole.gram).norm(), 1e-9 * whole.gram.norm());
  EXPECT_LT((both.shifted - whole.shifted).norm(), 1e-9 * whole.gram.norm());
}

TEST(Evolution, FunctionsThatDependOnEachOtherDoNoHarm) {
  const Points functions = plane_polynomials(linear_chain(5000, 3), 4.0, 1);
  Points twice(functions.rows(), 2 * functions.cols());
  twice << functions, functions;
  EXPECT_NEAR(fit_evolution(sums_of(twice), 1).timescales[0], fit_evolution(sums_of(functions), 1).timescales[0], 1e-6);
}

TEST(PlanePolynomials, AreChebyshevs) {
  Points points(1, 2);
  points << 0.6, -1.0;
  const Points values = plane_polynomials(points, 2.0, 2);  // 1, y, x, 2 y^2 - 1, x y, 2 x^2 - 1 of (0.3, -0.5)
  Points expected(1, 6);
  expected << 1.0, -0.5, 0.3, -0.5, -0.15, -0.82;
  EXPECT_LT((values - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace itomap::reproduce
