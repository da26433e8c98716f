// The separable double well at beta = 2 from a hotter, lopsided sample: metastable and fast modes.
//
// To first order in epsilon TMDmap finds the spectrum of a density changed by the factor exp(epsilon V) with
// V = Laplacian(pi^1/2) / pi^1/2 (docs/theory/convergence.md). The slow rate goes with the ratio of the densities at
// the saddle, where V is about 2 beta - beta / 2, and in a well, where the mean of V is -beta <Laplacian U> / 4, about
// -5 beta / 2: it moves by at most 4 beta epsilon, and the fast modes by less. Hence C = 4 beta, for LKDmap too.
#include "support/double_well.hpp"

#include <gtest/gtest.h>

#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"
#include "support/spectrum_check.hpp"

namespace itomap::science_double_well {

constexpr double beta = 2.0;
constexpr double epsilon = 0.008;
constexpr Index count = 4;  // -0.455, -4, -4.455, -8
const KernelOptions kernel{.engine = Engine::Sparse};

class DoubleWellSpectrum : public testing::TestWithParam<std::uint64_t> {
 protected:
  exact::DoubleWell well{beta};
  Points points = samples::hot_double_well(4000, 4.0, GetParam());

  double share_of_budget(const Map& map, bool log_rates) const {
    const Spectrum s = eigenpairs(map, {.count = count});
    const Eigen::VectorXcd expected = well.spectrum(count + 1).cast<std::complex<double>>();
    const Eigen::VectorXcd rates =
        log_rates ? Eigen::VectorXcd(s.rates_log.cast<std::complex<double>>()) : s.eigenvalues;
    return statistics::worst_share_of_budget(map, s, rates, expected, 4.0 * beta);
  }
  Map local(bool biased) const {
    return local_kernel_map(points, well.drift(points), Diffusion::constant(1.0),
                            {.epsilon = epsilon, .biased = biased, .kernel = kernel});
  }
};

// By rates_log: the reversible P is close to a semigroup.
TEST_P(DoubleWellSpectrum, TargetMeasureMap) {
  const auto map = target_measure_map(points, well.log_invariant(points), {.epsilon = epsilon, .kernel = kernel});
  EXPECT_LE(share_of_budget(map, true), 1.0);
}

// By lambda: a row is an Euler step.
TEST_P(DoubleWellSpectrum, LocalKernelMap) { EXPECT_LE(share_of_budget(local(false), false), 1.0); }

// Controls: maps that follow the sample instead of the target.

class DoubleWellControl : public DoubleWellSpectrum {};

TEST_P(DoubleWellControl, StandardMapFails) {
  EXPECT_GT(share_of_budget(diffusion_map(points, {.epsilon = epsilon, .kernel = kernel}), true), 1.0);
}

TEST_P(DoubleWellControl, BiasedKernelFails) { EXPECT_GT(share_of_budget(local(true), false), 1.0); }

INSTANTIATE_TEST_SUITE_P(Seeds, DoubleWellSpectrum, testing::Values(1, 2, 3, 4, 5));
INSTANTIATE_TEST_SUITE_P(Seeds, DoubleWellControl, testing::Values(1));

}  // namespace itomap::science_double_well
