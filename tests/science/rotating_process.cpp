// A rotating Ornstein-Uhlenbeck process with full anisotropic diffusion: complex eigenvalues -1 +- 2i and their sums.
//
// LKDmap alone can do this: the process has no detailed balance. As for the plain process the Euler step's own error is
// known in closed form, and C = 1 is left for the density estimate.
#include <gtest/gtest.h>

#include "itomap/generator/local_kernel_map.hpp"
#include "support/samples.hpp"
#include "support/spectrum_check.hpp"
#include "support/systems.hpp"

namespace itomap::science_rotating_process {

constexpr double epsilon = 0.03;
constexpr Index count = 5;  // -1 +- 2i, -2 +- 4i, -2

class RotatingProcess : public testing::TestWithParam<std::uint64_t> {
 protected:
  Points points = samples::skewed_ball(4000, 2, 3.7, GetParam());
  exact::LinearProcess process = exact::rotating_process();

  double share_of_budget(const Points& drift, const Matrix& a, bool biased) const {
    const Map map = local_kernel_map(points, drift, Diffusion::constant_matrix(Points(a)),
                                     {.epsilon = epsilon, .biased = biased, .kernel = {.engine = Engine::Sparse}});
    const Spectrum s = eigenpairs(map, {.count = count});
    return statistics::worst_share_of_budget(map, s, s.eigenvalues, process.euler_spectrum(epsilon, count + 1), 1.0);
  }
};

TEST_P(RotatingProcess, LocalKernelMap) { EXPECT_LE(share_of_budget(process.drift(points), process.A, false), 1.0); }

// Controls: what the same budget must not let pass.

class RotatingProcessControl : public RotatingProcess {};

TEST_P(RotatingProcessControl, BiasedKernelFails) {
  EXPECT_GT(share_of_budget(process.drift(points), process.A, true), 1.0);
}

TEST_P(RotatingProcessControl, WithoutDriftFails) {
  EXPECT_GT(share_of_budget(Points::Zero(points.rows(), 2), process.A, false), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RotatingProcess, testing::Values(1, 2, 3, 4, 5));
INSTANTIATE_TEST_SUITE_P(Seeds, RotatingProcessControl, testing::Values(1));

}  // namespace itomap::science_rotating_process
