// The bias of every construction falls like epsilon: all limits of the paper's three theorems, fitted in log-log.
//
// The points are a smooth image of a regular lattice: they follow a non-uniform density without noise, and sums over
// them are spectrally accurate integrals. What is left is the bias. A(x) is full and depends on position.
#include <gtest/gtest.h>

#include <vector>

#include "support/statistics.hpp"
#include "support/torus_case.hpp"

namespace itomap::science_epsilon_slopes {

using exact::Construction;

const exact::TorusCase problem = exact::torus_case();

/// Root mean square of computed - limit over the lattice.
double bias(Construction construction, double epsilon, double density_epsilon) {
  // The spacing is 0.1 on average and twice that where q is low: an eighth of the narrowest kernel's 2 pi (2
  // epsilon)^1/2.
  static const Points points = problem.lattice(64);
  return statistics::root_mean_square(problem.computed(construction, points, epsilon, density_epsilon) -
                                      problem.limit(construction, points));
}

class EpsilonSlope : public testing::TestWithParam<Construction> {};

TEST_P(EpsilonSlope, IsOne) {
  const std::vector<double> epsilons{0.04, 0.02, 0.01};
  std::vector<double> errors;
  for (const double epsilon : epsilons) {
    errors.push_back(bias(GetParam(), epsilon, epsilon));
  }
  const double slope = statistics::log_log_slope(epsilons, errors);
  EXPECT_GT(slope, 0.8);
  EXPECT_LT(slope, 1.2);
}

TEST_P(EpsilonSlope, SizeOfTheBiasIsModest) {
  // A limit that is off by any term of its own would leave an error of order 1.
  EXPECT_LT(bias(GetParam(), 0.01, 0.01),
            0.06 * statistics::root_mean_square(problem.limit(GetParam(), problem.lattice(16))));
}

INSTANTIATE_TEST_SUITE_P(Theorems, EpsilonSlope, testing::ValuesIn(exact::all_constructions),
                         testing::PrintToStringParamName());

// The proof in the paper leaves room for an error of density_epsilon^2 / epsilon; in fact the two scales enter side by
// side, O(epsilon) + O(density_epsilon), because a smooth factor of the density cancels in the Markov normalisation.
TEST(DensityEpsilon, MayBeMuchWiderThanEpsilon) {
  for (const auto construction : {Construction::LocalBackward, Construction::LocalForward}) {
    const double narrow = bias(construction, 0.01, 0.01);
    const double wide = bias(construction, 0.01, 0.16);
    const double wider = bias(construction, 0.01, 0.32);
    EXPECT_LT(wide, 0.01 + 16.0 * narrow) << construction;
    EXPECT_LT(wider / wide, 2.4) << construction;
  }
}

}  // namespace itomap::science_epsilon_slopes
