// The planar reference solver against separable problems, solved along each axis by another method, and published
// values.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "itomap/dynamics/planar_reference.hpp"
#include "support/double_well.hpp"

namespace itomap::science_planar_references {

void expect_near(const Vector& found, const std::vector<double>& wanted, double relative) {
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    EXPECT_NEAR(found[Index(n) + 1], wanted[n], relative * std::abs(wanted[n])) << n + 1;
  }
}

TEST(PlanarReferences, TimescalesOfTheLargeTimeStepExample) {
  const auto system = make_system("double-well", {.beta = 6.0});
  const auto reference = planar_reference(system.log_target, system.box, {.count = 9});
  expect_near(reference.timescales, {40.247, .083333, .083161, .049925, .041667, .041624, .032010, .031221, .027778},
              1e-3);
  EXPECT_TRUE(reference.converged);
}

TEST(PlanarReferences, EigenvaluesOfTheDoubleWellAtBetaTwo) {
  const auto system = make_system("double-well", {.beta = 2.0});
  const auto reference = planar_reference(system.log_target, Box::cube(2, 2.5), {.count = 9});
  expect_near(reference.eigenvalues,
              {-0.45455, -4.00005, -4.4546, -8.00127, -8.15655, -8.45582, -12.01305, -12.15661, -12.4676}, 1e-4);
}

// Sums of rates of two problems on a line; the box is so wide that its walls do not matter.
TEST(PlanarReferences, ErrorEstimatesCoverTheError) {
  for (const double beta : {2.0, 6.0}) {
    const auto system = make_system("double-well", {.beta = beta});
    const Vector exact = exact::DoubleWell(beta).spectrum(8);
    const auto reference = planar_reference(system.log_target, system.box, {.count = 7});
    for (Index n = 1; n < 8; ++n) {
      EXPECT_LE(std::abs(reference.eigenvalues[n] - exact[n]), 1.01 * reference.errors[n] + 1e-5 * std::abs(exact[n]))
          << beta << " " << n;
    }
  }
}

// From the saddle to where pi is e^-87. Second order: (h / width)^2 / 24 with the width 1 / sqrt(4 beta) = 0.2 of the
// step at the saddle is 0.006 at 64 cells; half the spacing leaves a quarter.
TEST(PlanarReferences, SlowEigenfunctionAgainstAnIntegralEquation) {
  const double beta = 6.0;
  const auto system = make_system("double-well", {.beta = beta});
  const exact::SlowMode exact(beta);
  Points points(41, 2);
  for (Index i = 0; i < 41; ++i) {
    points.row(i) << -2.2 + 0.11 * double(i), 1.5 * std::sin(double(i));
  }
  const auto largest_error = [&](Index cells) {
    const auto reference =
        planar_reference(system.log_target, Box::cube(2, 2.5), {.count = 1, .cells = cells, .max_cells = cells});
    Vector psi = reference.at(points).col(1);
    for (Index i = 0; i < psi.size(); ++i) {
      psi[i] -= exact(points(i, 0));
    }
    return psi.cwiseAbs().maxCoeff();
  };
  const double coarse = largest_error(64);
  EXPECT_LT(coarse, 0.006);
  EXPECT_LT(largest_error(128), 0.3 * coarse);
}

// Not separable, and no closed form: the temperature switch on |x|, |y| < 1.6, by a Galerkin method with Legendre
// polynomials up to degree 90 along x and 20 along y (made once with NumPy; degree 76 agrees to 5e-5).
TEST(PlanarReferences, TemperatureSwitchAgainstAGalerkinMethod) {
  const auto system = make_system("temperature-switch", {.beta = 1.0});
  const auto reference = planar_reference(system.log_target, Box::cube(2, 1.6), {.count = 5});
  expect_near(reference.eigenvalues, {-0.53390, -0.64278, -1.30782, -5.88428, -6.42056}, 2e-4);
}

// The slow coordinate is x at beta = 1 and y at beta = 2, as the paper says.
TEST(PlanarReferences, TheSwitchSwitches) {
  Points corners(4, 2);
  corners << 1, 1, 1, -1, -1, 1, -1, -1;
  for (const double beta : {1.0, 2.0}) {
    const auto system = make_system("temperature-switch", {.beta = beta});
    const Block psi = planar_reference(system.log_target, Box::cube(2, 2.0), {.count = 2}).at(corners);
    const Vector slow = psi.col(1);
    const Index along = beta == 1.0 ? 0 : 1;
    EXPECT_LT((slow - corners.col(along)).cwiseAbs().maxCoeff(), 0.15) << beta << ": " << slow.transpose();
  }
}

}  // namespace itomap::science_planar_references
