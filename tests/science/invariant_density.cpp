// The zero mode of the forward generator is the invariant density: q phi_0, compared at the points in the l1 norm.
//
// epsilon shrinks with the number of points like m^(-1/(3 + d/2)) = m^-1/4, which balances bias and noise. Medians over
// five seeds, three sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"
#include "support/statistics.hpp"
#include "support/systems.hpp"

namespace itomap::science_invariant_density {

constexpr Index sizes[] = {300, 1200, 4800};

double scaled(double epsilon, Index m) { return epsilon * std::pow(double(m) / 300.0, -0.25); }

/// q phi_0, after checking that L* sends it to zero.
Vector zero_mode(const Map& map) {
  const Spectrum s = eigenpairs(map, {.count = 1});
  const Vector density = map.density().cwiseProduct(s.stationary);
  EXPECT_LT(map.forward(density).lpNorm<1>() * map.epsilon(), 1e-7 * density.lpNorm<1>());
  return density;
}

void expect_shrinking(const std::vector<double>& errors, double first) {
  EXPECT_LT(errors[0], first);
  EXPECT_LT(errors[1], 0.8 * errors[0]);
  EXPECT_LT(errors[2], 0.8 * errors[1]);
}

TEST(InvariantDensity, RotatingProcessByLocalKernelMap) {
  const auto process = exact::rotating_process();
  std::vector<double> errors;
  for (const Index m : sizes) {
    errors.push_back(statistics::median_over_seeds([&](std::uint64_t seed) {
      const Points x = samples::skewed_ball(m, 2, 3.0, seed);
      const auto map = local_kernel_map(x, process.drift(x), Diffusion::constant_matrix(Points(process.A)),
                                        {.epsilon = scaled(0.08, m), .kernel = {.engine = Engine::Sparse}});
      return statistics::relative_l1_error(zero_mode(map), process.log_invariant(x).array().exp().matrix());
    }));
  }
  expect_shrinking(errors, 0.25);
}

TEST(InvariantDensity, DoubleWellByTargetMeasureMap) {
  const exact::DoubleWell well(2.0);
  std::vector<double> errors;
  for (const Index m : sizes) {
    errors.push_back(statistics::median_over_seeds([&](std::uint64_t seed) {
      const Points x = samples::hot_double_well(m, 4.0, seed);
      const auto map = target_measure_map(x, well.log_invariant(x),
                                          {.epsilon = scaled(0.03, m), .kernel = {.engine = Engine::Sparse}});
      return statistics::relative_l1_error(zero_mode(map), well.log_invariant(x).array().exp().matrix());
    }));
  }
  expect_shrinking(errors, 0.25);
}

TEST(InvariantDensity, DoubleWellByLocalKernelMap) {
  const exact::DoubleWell well(2.0);
  std::vector<double> errors;
  for (const Index m : sizes) {
    errors.push_back(statistics::median_over_seeds([&](std::uint64_t seed) {
      const Points x = samples::hot_double_well(m, 4.0, seed);
      const auto map = local_kernel_map(x, well.drift(x), Diffusion::constant(1.0),
                                        {.epsilon = scaled(0.03, m), .kernel = {.engine = Engine::Sparse}});
      return statistics::relative_l1_error(zero_mode(map), well.log_invariant(x).array().exp().matrix());
    }));
  }
  expect_shrinking(errors, 0.3);
}

}  // namespace itomap::science_invariant_density
