// The exact solutions the other tests rely on, checked against each other and against published figures.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/double_well.hpp"
#include "support/systems.hpp"
#include "support/torus_field.hpp"

namespace itomap::science_reference_solutions {

TEST(DoubleWellReference, PublishedEigenvaluesAtBetaTwo) {
  // Finite-element values with an error of a few 1e-4 that grows with n.
  const double published[] = {-0.45455, -4.00005,  -4.4546,   -8.00127, -8.15655,
                              -8.45582, -12.01305, -12.15661, -12.4676};
  const Vector spectrum = exact::DoubleWell(2.0).spectrum(10);
  EXPECT_NEAR(spectrum[0], 0.0, 1e-10);
  for (Index n = 1; n < 10; ++n) {
    EXPECT_NEAR(spectrum[n], published[n - 1], 2e-3 * std::abs(published[n - 1])) << n;
  }
}

TEST(DoubleWellReference, PublishedTimescalesAtBetaSix) {
  const double published[] = {40.247, .083333, .083161, .049925, .041667, .041624, .032010, .031221, .027778};
  const Vector spectrum = exact::DoubleWell(6.0).spectrum(10);
  for (Index n = 1; n < 10; ++n) {
    EXPECT_NEAR(-1.0 / spectrum[n], published[n - 1], 2e-5 * published[n - 1]) << n;
  }
}

TEST(DoubleWellReference, TwoMethodsAgreeOnTheSlowMode) {
  for (const double beta : {1.0, 2.0, 6.0}) {
    EXPECT_NEAR(exact::SlowMode(beta).eigenvalue() / exact::DoubleWell(beta).spectrum(2)[1], 1.0, 1e-5) << beta;
  }
}

TEST(DoubleWellReference, SlowModeSolvesItsEquation) {
  // psi'' - beta U' psi' = lambda psi, by finite differences, from the saddle to far in the tail.
  const double beta = 6.0;
  const exact::SlowMode psi(beta);
  for (const double x : {0.1, 0.5, 1.0, 1.5, 2.0, 2.4}) {
    const double h = 0.01;
    const double second = (psi(x + h) - 2.0 * psi(x) + psi(x - h)) / (h * h);
    const double first = (psi(x + h) - psi(x - h)) / (2.0 * h);
    const double force = beta * 4.0 * x * (x * x - 1.0);
    const double size = std::abs(second) + std::abs(force * first) + std::abs(psi.eigenvalue() * psi(x));
    EXPECT_NEAR(second - force * first, psi.eigenvalue() * psi(x), 5e-3 * size) << x;
  }
}

TEST(LinearReference, CovarianceSolvesTheLyapunovEquation) {
  const auto p = exact::rotating_process();
  const Matrix s = p.covariance();
  EXPECT_LT((p.B * s + s * p.B.transpose() - 2.0 * p.A).norm(), 1e-12);
  EXPECT_LT((s - s.transpose()).norm(), 1e-12);
  EXPECT_GT((p.B * p.A - p.A * p.B.transpose()).norm(), 0.1) << "the process should not be reversible";
}

TEST(LinearReference, SteppedSpectraTendToTheExactOne) {
  const auto p = exact::rotating_process();
  const auto reversible = exact::ornstein_uhlenbeck(3);
  EXPECT_LT((p.euler_spectrum(1e-6, 12) - p.spectrum(12)).norm(), 1e-3);
  EXPECT_LT((reversible.implicit_spectrum(1e-6, 20) - reversible.spectrum(20)).norm(), 1e-3);
}

TEST(LinearReference, MultiplicitiesOfTheOrnsteinUhlenbeckProcess) {
  Vector expected(10);
  expected << 0, -1, -1, -1, -2, -2, -2, -2, -2, -2;
  EXPECT_LT((exact::ornstein_uhlenbeck(3).spectrum(10).real() - expected).norm(), 1e-12);
}

TEST(TorusFieldReference, ForwardIsTheAdjointOfBackward) {
  // The integral of g L f equals that of f L* g; the regular grid integrates these fields exactly.
  using exact::TorusField;
  const auto f = TorusField::wave(1.0, 1, 0, 0.2) + TorusField::wave(0.7, 1, 1, 0.9);
  const auto g = TorusField::wave(0.8, 1, 0, 0.1) + TorusField::wave(0.5, 2, 1, 0.4);
  const auto off = TorusField::wave(0.2, 1, 1, 0.3);
  const exact::TorusProcess p{{TorusField::wave(0.5, 0, 1), TorusField::wave(0.6, 1, 0, 1.0)},
                              {{TorusField::wave(0.3, 1, 0) + 1.0, off}, {off, 0.8}}};
  const TorusField difference = g * p.backward(f) - f * p.forward(g);
  double sum = 0.0;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      sum += difference(i * M_PI / 8.0, j * M_PI / 8.0) / 256.0;
    }
  }
  EXPECT_NEAR(sum, 0.0, 1e-13);
}

}  // namespace itomap::science_reference_solutions
