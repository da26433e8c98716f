// The automatic scale against a sweep: time-scale errors at most 1.5 times those of the best epsilon.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/analysis/scale_scan.hpp"
#include "itomap/kernel/scale.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/double_well.hpp"
#include "support/samples.hpp"
#include "support/systems.hpp"

namespace itomap {
namespace {

constexpr Index modes = 3;

/// Root mean square relative error of the leading time scales; outlier modes are passed over.
double timescale_error(MapDefinition map, double epsilon, const Vector& exact) {
  map.epsilon = epsilon;
  const Spectrum s = eigenpairs(map.build(), {.count = modes + 5});
  double square = 0.0;
  Index found = 0;
  for (Index n = 1; n < s.eigenvalues.size() && found < modes; ++n) {
    if (!s.is_spurious(n)) {
      square += std::pow(exact[++found] / s.eigenvalues[n].real() - 1.0, 2);
    }
  }
  return found == modes ? std::sqrt(square / double(modes)) : std::numeric_limits<double>::infinity();
}

class AutomaticScale : public testing::TestWithParam<std::uint64_t> {};

TEST_P(AutomaticScale, IsNearlyAsGoodAsTheBestOfASweep) {
  // An Euler-Maruyama trajectory of the double well at a large step and beta = 2, thinned: a biased, correlated sample.
  const exact::DoubleWell well(2.0);
  samples::Random random(GetParam());
  constexpr double dt = 0.02;
  Points x(5000, 2);
  double a = -0.5;
  double b = 0.0;
  for (Index k = 0; k < 50 * x.rows(); ++k) {
    a += -dt * well.beta() * 4.0 * a * (a * a - 1.0) + std::sqrt(2.0 * dt) * random.normal();
    b += -dt * well.beta() * 2.0 * b + std::sqrt(2.0 * dt) * random.normal();
    x(k / 50, 0) = a;
    x(k / 50, 1) = b;
  }
  MapDefinition map;
  map.method = Method::TargetMeasureMap;
  map.points = x;
  map.log_target = well.log_invariant(x);
  const Vector exact = well.spectrum(modes + 1);
  double best = std::numeric_limits<double>::infinity();
  for (double epsilon = 0.001; epsilon < 0.2; epsilon *= 1.5) {
    best = std::min(best, timescale_error(map, epsilon, exact));
  }
  const ScaleScan scan = scan_scales(map);
  // Where noise makes a scale best by luck, a percent or two is no loss.
  EXPECT_LE(timescale_error(map, scan.epsilon, exact), 1.5 * best + 0.02) << scan.epsilon << ": " << scan.reason;
}

INSTANTIATE_TEST_SUITE_P(Seeds, AutomaticScale, testing::Values(1, 2, 3));

TEST(ScaleCurve, SlopeIsTheDimension) {
  const Points sphere = samples::skewed_sphere(4000, 3);
  const ScaleCurve curve = scale_curve(sphere, Vector::Constant(1, 0.01));
  EXPECT_NEAR(curve.dimension[0], 2.0, 0.1);
  // S is the sum over all pairs: against one row at a time.
  double sum = 0.0;
  for (Index i = 0; i < sphere.rows(); ++i) {
    sum += (-(sphere.rowwise() - sphere.row(i)).rowwise().squaredNorm().array() / 0.04).exp().sum();
  }
  EXPECT_NEAR(curve.log_sum[0], std::log(sum), 1e-3);
}

}  // namespace
}  // namespace itomap
