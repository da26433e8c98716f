#include "itomap/analysis/pcca.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/nelder_mead.hpp"
#include "itomap/core/error.hpp"
#include "support/matrix_map.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

const std::vector<Index> block_sizes{3, 9, 5};  // set 1 is the heaviest, then 2, then 0
constexpr double leak = 1e-3;

Block slow_functions(const test::Chain& chain, Index count) {
  return chain.spectrum.eigenfunctions.re.middleCols(1, count);
}

/// Largest share of a row that leaves its block, over the gap that separates slow from fast modes: by how much
/// memberships can differ from 0 and 1, to first order; 4 for the sum over two functions, and the shift of the smallest
/// to 0.
double softness(const test::Chain& chain) {
  const std::vector<Index> block = test::block_labels(block_sizes);
  Vector leaving = Vector::Zero(chain.markov.rows());
  for (Index i = 0; i < chain.markov.rows(); ++i) {
    for (Index j = 0; j < chain.markov.cols(); ++j) {
      leaving[i] += block[i] == block[j] ? 0.0 : chain.markov(i, j);
    }
  }
  const double gap = -chain.spectrum.eigenvalues[3].real() * chain.map.epsilon();
  return 4.0 * leaving.maxCoeff() / gap;
}

class PccaSeeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PccaSeeds, FindsTheBlocksOfANearlyDecomposableChain) {
  const auto chain = test::chain(test::block_kernel(block_sizes, leak, false, GetParam()), 0.5);
  const auto soft = pcca(slow_functions(chain, 2), chain.stationary);
  const std::vector<Index> block = test::block_labels(block_sizes);
  const Index set_of_block[] = {2, 0, 1};  // by weight
  const double tolerance = softness(chain);
  ASSERT_LT(tolerance, 0.1);
  for (Index i = 0; i < soft.memberships.rows(); ++i) {
    EXPECT_EQ(soft.labels[i], set_of_block[block[i]]);
    EXPECT_GT(soft.memberships(i, set_of_block[block[i]]), 1.0 - tolerance);
  }
  EXPECT_GT(soft.crispness, 1.0 - 2.0 * tolerance);
  EXPECT_TRUE(soft.converged);
}

// Strong coupling: soft sets, where the optimisation has something to do.
TEST_P(PccaSeeds, MembershipsAreConvexAndTheCrispnessIsThatOfTheHeader) {
  const auto chain = test::chain(test::block_kernel({8, 9, 10, 11}, 0.2, false, GetParam()), 0.5);
  const auto soft = pcca(slow_functions(chain, 3), chain.stationary);
  EXPECT_GE(soft.memberships.minCoeff(), 0.0);
  EXPECT_LT((soft.memberships.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-14);
  EXPECT_LT(soft.memberships.colwise().minCoeff().maxCoeff(), 1e-12) << "each is 0 somewhere";
  const Vector weights = soft.memberships.transpose() * chain.stationary;
  const Vector squares = soft.memberships.cwiseAbs2().transpose() * chain.stationary;
  EXPECT_NEAR(soft.crispness, squares.cwiseQuotient(weights).mean(), 1e-12);
  EXPECT_GE(soft.crispness, soft.start_crispness);
  for (Index j = 1; j < 4; ++j) {
    EXPECT_GE(weights[j - 1], weights[j]);
  }
}

// They lie in the span of the functions, whatever basis of it is given.
TEST_P(PccaSeeds, DependsOnTheSpaceOnly) {
  const auto chain = test::chain(test::block_kernel(block_sizes, 0.05, false, GetParam()), 0.5);
  const Block functions = slow_functions(chain, 2);
  const Matrix mixing = (Matrix(2, 2) << 3.0, 1.0, -0.2, 0.5).finished();
  const auto one = pcca(functions, chain.stationary);
  const auto other = pcca(Block(functions * mixing), 7.0 * chain.stationary);
  EXPECT_NEAR(one.crispness, other.crispness, 1e-6);
  EXPECT_EQ(one.labels, other.labels);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PccaSeeds, testing::Values(1, 2, 3, 4, 5));

TEST(Pcca, TwoSetsAreTheFunctionScaledToTheUnitInterval) {
  const auto chain = test::chain(test::block_kernel({4, 9}, 0.1, false, 3), 0.5);
  const Vector psi = chain.spectrum.eigenfunctions.col(1);
  const auto soft = pcca(psi, chain.stationary);
  const Vector scaled = (psi.array() - psi.minCoeff()) / (psi.maxCoeff() - psi.minCoeff());
  const Vector first = soft.memberships.col(0);
  EXPECT_LT(std::min((first - scaled).norm(), (first + scaled - Vector::Ones(13)).norm()), 1e-12);
}

TEST(Pcca, RefusesWhatHasNoAnswer) {
  const Block f = samples::normal(20, 2, 1);
  const Vector w = Vector::Constant(20, 0.05);
  EXPECT_THROW(pcca(Block(20, 0), w), InvalidArgument);
  EXPECT_THROW(pcca(f, Vector::Ones(19)), InvalidArgument);
  EXPECT_THROW(pcca(Block::Ones(20, 1), w), InvalidArgument) << "the constant";
  Block twice(20, 2);
  twice << f.col(0), f.col(0);
  EXPECT_THROW(pcca(twice, w), InvalidArgument);
}

TEST(NelderMead, FindsTheMinimumOfANarrowValley) {
  const auto rosenbrock = [](const Vector& x) {
    return 100.0 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1.0 - x[0], 2);
  };
  const auto found = nelder_mead(rosenbrock, (Vector(2) << -1.2, 1.0).finished(), {.tolerance = 1e-14});
  EXPECT_TRUE(found.converged);
  EXPECT_LT((found.x - Vector::Ones(2)).norm(), 1e-5);
}

TEST(NelderMead, StopsWhenToldTo) {
  const auto found =
      nelder_mead([](const Vector& x) { return x.squaredNorm(); }, Vector::Ones(9), {.max_evaluations = 30});
  EXPECT_FALSE(found.converged);
  EXPECT_LE(found.evaluations, 50);
  EXPECT_LE(found.value, 9.0);
}

}  // namespace
}  // namespace itomap
