// Eigenfunctions at points that were never in the map, against functions that are known: psi(y) must be as good there
// as at the points of the map.
//
// A linear process that is slowest along x has psi_1 = x; on the circle the slowest two span cos and sin. What is
// compared is the direction, by least squares: sign, size and the choice within a plane are free.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "itomap/analysis/extension.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"
#include "support/systems.hpp"

namespace itomap::science_extension {

/// Share of psi, in the root mean square, that is no combination of the known functions.
double rest(const Vector& psi, const Matrix& known) {
  return (psi - known * known.colPivHouseholderQr().solve(psi)).norm() / psi.norm();
}

struct Errors {
  double inside;  // at the points of the map
  double held_out;
  double reported;  // what the extension says of itself
};

/// `modes` slow modes against as many known functions at the points and at the new ones.
Errors errors(const Map& map, const NewPoints& where, const Matrix& known, const Matrix& known_there) {
  const Index modes = known.cols();
  const Spectrum spectrum = eigenpairs(map, {.count = modes});
  const Extension extension = extend(map, spectrum, where);
  EXPECT_TRUE(extension.outside.empty());
  Errors found{0.0, 0.0, 0.0};
  for (Index n = 1; n <= modes; ++n) {
    found.inside = std::max(found.inside, rest(spectrum.eigenfunctions.re.col(n), known));
    found.held_out = std::max(found.held_out, rest(extension.eigenfunctions.re.col(n), known_there));
    found.reported = std::max(found.reported, extension.interpolation_error[n]);
  }
  return found;
}

/// New points are no worse than those of the map, but for what interpolation costs, and that is little.
void expect_as_good(const Errors& e, double bound) {
  EXPECT_LT(e.held_out, bound);
  EXPECT_LT(e.held_out, 1.1 * e.inside + e.reported);
  EXPECT_LT(e.reported, bound);
}

class Extended : public testing::TestWithParam<std::uint64_t> {
 protected:
  // eigenvalues -1 with psi = x, and -3 with psi = y
  exact::LinearProcess process{(Matrix(2, 2) << 1.0, 0.0, 0.0, 3.0).finished(), Matrix::Identity(2, 2)};
  Points x = inner(samples::skewed_ball(4000, 2, 3.0, GetParam()));
  Points y = inner(samples::skewed_ball(1000, 2, 2.8, GetParam() + 1000));  // other points, in the reach of the first
  static constexpr double epsilon = 0.01;

  /// Half as wide across, where the process is.
  static Points inner(Points points) {
    points.col(1) *= 0.5;
    return points;
  }
};

// The kernel's bias is O(epsilon) where the invariant density is; at the rim of the ball, where there is next to none
// of it, psi is flat within a kernel's width of 0.2 of a radius of 3.
TEST_P(Extended, TargetMeasureMap) {
  const Map map = target_measure_map(x, process.log_invariant(x), {.epsilon = epsilon});
  expect_as_good(errors(map, {.points = y}, x.col(0), y.col(0)), 0.06);
}

TEST_P(Extended, LocalKernelMap) {
  const Map map = local_kernel_map(x, process.drift(x), Diffusion::constant(1.0), {.epsilon = epsilon});
  const NewPoints where{.points = y, .drift = process.drift(y), .diffusion = Diffusion::constant(1.0)};
  expect_as_good(errors(map, where, x.col(0), y.col(0)), 0.06);
}

TEST_P(Extended, DiffusionMapOnTheCircle) {
  const Points ring = samples::on_circle(samples::skewed_angles(3000, GetParam()));
  const Points other = samples::on_circle(samples::skewed_angles(500, GetParam() + 1000));
  const Map map = diffusion_map(ring, {.epsilon = 0.002, .alpha = 1.0});
  expect_as_good(errors(map, {.points = other}, ring, other), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Extended, testing::Values(1, 2, 3));

}  // namespace itomap::science_extension
