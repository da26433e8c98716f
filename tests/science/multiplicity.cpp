// Repeated eigenvalues come as often as they occur. On regular points the matrices are circulant, so that their
// eigenvalues are Fourier sums of one row and known to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"
#include "support/statistics.hpp"
#include "support/systems.hpp"

namespace itomap::science_multiplicity {

using Complex = std::complex<double>;
constexpr double turn = 2.0 * std::numbers::pi;

Vector regular_angles(Index n) { return samples::quantile_angles(n, 0.0, 0.0); }

/// `rings` unit circles of n regular points, far apart.
Points regular_rings(Index n, Index rings) {
  Points points(n * rings, 2);
  for (Index r = 0; r < rings; ++r) {
    points.middleRows(r * n, n) = samples::on_circle(regular_angles(n));
    points.middleRows(r * n, n).col(0).array() += 100.0 * double(r);
  }
  return points;
}

/// Eigenvalues of L from the first row of a circulant P, modes -5 to 5, each `copies` times.
std::vector<Complex> fourier_sums(const Vector& row, double epsilon, int copies) {
  std::vector<Complex> values;
  for (int k = -5; k <= 5; ++k) {
    Complex mu = 0.0;
    for (Index j = 0; j < row.size(); ++j) {
      mu += row[j] * std::polar(1.0, turn * double(k * j) / double(row.size()));
    }
    values.insert(values.end(), std::size_t(copies), (mu - 1.0) / epsilon);
  }
  return values;
}

/// First row of P on a ring of n points; the constant density and weights cancel.
Vector ring_row(Index n, double epsilon, double speed) {
  const Points x = samples::on_circle(regular_angles(n));
  const Eigen::RowVector2d centre = x.row(0) + epsilon * speed * Eigen::RowVector2d(0.0, 1.0);
  const Vector row = (-(x.rowwise() - centre).rowwise().squaredNorm() / (4.0 * epsilon)).array().exp();
  return row / row.sum();
}

void expect_same_set(const Eigen::VectorXcd& computed, std::vector<Complex> expected, double tolerance) {
  for (const Complex& value : computed) {
    EXPECT_LT(statistics::take_nearest(expected, value), tolerance) << value;
  }
}

TEST(Multiplicity, PairsOnACircle) {
  constexpr Index n = 800;
  constexpr double epsilon = 0.005;
  const auto map = diffusion_map(regular_rings(n, 1), {.epsilon = epsilon, .alpha = 1.0});
  const Spectrum s = eigenpairs(map, {.count = 10});
  expect_same_set(s.eigenvalues, fourier_sums(ring_row(n, epsilon, 0.0), epsilon, 1), 1e-5);
  for (Index k = 1; k < 10; k += 2) {
    EXPECT_NEAR(s.eigenvalues[k].real(), s.eigenvalues[k + 1].real(), 1e-6) << k;
  }
}

TEST(Multiplicity, ThreeDisconnectedRings) {
  constexpr Index n = 200;
  constexpr double epsilon = 0.02;
  const auto map = diffusion_map(regular_rings(n, 3), {.epsilon = epsilon, .alpha = 1.0});
  EXPECT_EQ(map.diagnostics().components, 3);
  const Spectrum s = eigenpairs(map, {.count = 14});  // 0 three times, then six and six
  expect_same_set(s.eigenvalues, fourier_sums(ring_row(n, epsilon, 0.0), epsilon, 3), 1e-5);
  EXPECT_LT(s.eigenvalues.head(3).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(s.eigenvalues[3].real(), -0.9);
}

TEST(Multiplicity, ThreeRingsThatTurn) {
  // A drift along the rings makes complex pairs, each three times: the general solver must find them all.
  constexpr Index n = 200;
  constexpr double epsilon = 0.02;
  constexpr double speed = 2.0;
  const Points x = regular_rings(n, 3);
  Points drift(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const double angle = turn * double(i % n) / double(n);
    drift.row(i) << -speed * std::sin(angle), speed * std::cos(angle);
  }
  const auto map = local_kernel_map(x, drift, Diffusion::constant(1.0), {.epsilon = epsilon});
  const Spectrum s = eigenpairs(map, {.count = 14});
  expect_same_set(s.eigenvalues, fourier_sums(ring_row(n, epsilon, speed), epsilon, 3), 1e-5);
  EXPECT_GT(s.eigenvalues[3].imag(), 1.5);
}

TEST(Multiplicity, FourfoldOnAFlatTorus) {
  constexpr double epsilon = 0.06;
  const Points x = samples::lattice(regular_angles(32), regular_angles(32));
  const auto map = diffusion_map(x, {.epsilon = epsilon, .alpha = 1.0, .kernel = {.period = {turn, turn}}});
  const Spectrum s = eigenpairs(map, {.count = 12});
  // The wrapped Gaussian's transform: mu = exp(-epsilon (j^2 + k^2)) to spectral accuracy.
  const Vector expected = exact::torus_spectrum(13);
  EXPECT_LT((s.rates_log - expected).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(s.eigenvalues[1].real(), s.eigenvalues[4].real(), 1e-7);
  EXPECT_NEAR(s.eigenvalues[5].real(), s.eigenvalues[8].real(), 1e-7);
  EXPECT_NEAR(s.eigenvalues[9].real(), s.eigenvalues[12].real(), 1e-7);
}

TEST(Multiplicity, DuplicatedPointsAddNothing) {
  // Every point twice: the same operator on functions, so the same eigenvalues near the top.
  constexpr double epsilon = 0.02;
  const Points once = samples::on_circle(samples::skewed_angles(300, 1));
  Points twice(600, 2);
  twice << once, once;
  const Spectrum a = eigenpairs(diffusion_map(once, {.epsilon = epsilon}), {.count = 6});
  const Spectrum b = eigenpairs(diffusion_map(twice, {.epsilon = epsilon}), {.count = 6});
  EXPECT_LT((a.eigenvalues - b.eigenvalues).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace itomap::science_multiplicity
