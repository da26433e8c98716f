// One term more than the theorems: the O(epsilon) error of L is what docs/theory/convergence.md says, so that what is
// left after subtracting it falls like epsilon^2. This fixes every constant in the constructions.
//
//   TMDmap   (L_eps - L) f / epsilon -> L^2 f / 2 + grad V . grad f - 2 grad r . grad f
//   LKDmap   (L_eps - L) f / epsilon -> (frozen L)^2 f / 2 - 2 (density_epsilon / epsilon) A_ij d_i r d_j f
//
// with V = Laplacian(pi^1/2) / pi^1/2 and r = Laplacian(q) / q.
#include <gtest/gtest.h>

#include <vector>

#include "support/statistics.hpp"
#include "support/torus_case.hpp"

namespace itomap::science_expansion {

using exact::Construction;

double remainder_slope(Construction construction, double ratio) {
  const exact::TorusCase problem = exact::torus_case();
  const Points points = problem.lattice(64);
  const Vector limit = problem.limit(construction, points);
  const Vector correction = problem.first_correction(construction, points, ratio);
  const std::vector<double> epsilons{0.08, 0.04, 0.02};
  std::vector<double> remainders;
  for (const double epsilon : epsilons) {
    const Vector error = problem.computed(construction, points, epsilon, ratio * epsilon) - limit;
    remainders.push_back(statistics::root_mean_square(error - epsilon * correction));
  }
  return statistics::log_log_slope(epsilons, remainders);
}

TEST(Expansion, TargetMeasureMap) { EXPECT_NEAR(remainder_slope(Construction::TargetBackward, 1.0), 2.0, 0.3); }

TEST(Expansion, LocalKernelMap) { EXPECT_NEAR(remainder_slope(Construction::LocalBackward, 1.0), 2.0, 0.3); }

TEST(Expansion, LocalKernelMapWithAWiderDensity) {
  EXPECT_NEAR(remainder_slope(Construction::LocalBackward, 3.0), 2.0, 0.3);
}

TEST(Expansion, LocalKernelMapWithANarrowerDensity) {
  EXPECT_NEAR(remainder_slope(Construction::LocalBackward, 0.6), 2.0, 0.3);
}

}  // namespace itomap::science_expansion
