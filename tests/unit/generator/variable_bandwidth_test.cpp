// Maps of variable bandwidth against matrices written down entry by entry.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/analysis/extension.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

constexpr Index m = 120;
constexpr double epsilon = 0.05;
constexpr VariableBandwidth half{.strength = 0.5, .neighbours = 15, .dimension = 2};

class VariableBandwidthMaps : public testing::Test {
 protected:
  Points x = samples::normal(m, 2, 4);
  Vector rho = variable_bandwidth(x, x, half);
  Vector log_pi = -0.5 * x.rowwise().squaredNorm();
  Points drift = -x + 2.0 * x.rowwise().reverse();
  // Nothing is left out: the reference has all entries.
  KernelOptions kernel{.engine = Engine::Dense, .cutoff = 1e-300};

  double squared(Index i, Index j) const { return (x.row(i) - x.row(j)).squaredNorm(); }

  Matrix symmetric_kernel() const {
    Matrix k(m, m);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        k(i, j) = std::exp(-squared(i, j) * (1.0 / (rho[i] * rho[i]) + 1.0 / (rho[j] * rho[j])) / (8.0 * epsilon));
      }
    }
    return k;
  }

  /// L f by its definition: a move from i takes the time epsilon rho_i^2.
  Vector backward(const Matrix& k, const Vector& d, const Vector& f) const {
    Vector result(m);
    for (Index i = 0; i < m; ++i) {
      const double mean = k.row(i).dot(d.cwiseProduct(f)) / k.row(i).dot(d);
      result[i] = (mean - f[i]) / (epsilon * rho[i] * rho[i]);
    }
    return result;
  }

  static void expect_close(const Vector& a, const Vector& b) {
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-9 * b.cwiseAbs().maxCoeff());
  }
};

TEST_F(VariableBandwidthMaps, StrengthZeroIsTheFixedMap) {
  const VariableBandwidth none{.strength = 0.0, .neighbours = 15};
  const auto fixed = target_measure_map(x, log_pi, {.epsilon = epsilon});
  const auto same = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = none});
  EXPECT_EQ(fixed.backward(log_pi), same.backward(log_pi));
  EXPECT_EQ(same.bandwidth().size(), 0);
}

TEST_F(VariableBandwidthMaps, TargetMeasureMapIsItsFormula) {
  const auto map = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half, .kernel = kernel});
  const Matrix k = symmetric_kernel();
  const Vector q = k.rowwise().sum().array() / rho.array().square();
  const Vector d = (0.5 * log_pi).array().exp() / (q.array() * rho.array().square());
  const Vector f = x.col(0).array().sin();
  expect_close(map.backward(f), backward(k, d, f));
  expect_close(map.density(), q);
}

TEST_F(VariableBandwidthMaps, DiffusionMapIsItsFormula) {
  const auto map = diffusion_map(x, {.epsilon = epsilon, .alpha = 0.5, .bandwidth = half, .kernel = kernel});
  const Matrix k = symmetric_kernel();
  const Vector q = k.rowwise().sum().array() / rho.array().square();
  const Vector f = x.col(1).array().cos();
  expect_close(map.backward(f), backward(k, q.array().rsqrt() / rho.array().square(), f));
}

TEST_F(VariableBandwidthMaps, LocalKernelMapIsItsFormula) {
  const auto map =
      local_kernel_map(x, drift, Diffusion::constant(0.7),
                       {.epsilon = epsilon, .eta = 0.1, .bandwidth = half, .keep_traps = true, .kernel = kernel});
  Matrix k(m, m);
  Vector q = Vector::Zero(m);
  for (Index i = 0; i < m; ++i) {
    const double step = epsilon * rho[i] * rho[i];
    for (Index j = 0; j < m; ++j) {
      const double landed = (x.row(i) + step * drift.row(i) - x.row(j)).squaredNorm();
      k(i, j) = std::exp(-landed / (4.0 * step * 0.8));
      q[i] += std::exp(-squared(i, j) / (4.0 * epsilon * 0.8 * rho[i] * rho[i])) / (rho[i] * rho[i]);
    }
  }
  const Vector f = x.col(0).array().sin();
  expect_close(map.backward(f), backward(k, q.cwiseInverse(), f));
}

TEST_F(VariableBandwidthMaps, EnginesAgree) {
  for (const Engine engine : {Engine::Sparse, Engine::Dense}) {
    const KernelOptions other{.engine = engine, .cutoff = 1e-12};
    const auto map = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half, .kernel = other});
    const auto all = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half, .kernel = kernel});
    expect_close(map.backward(x.col(0)), all.backward(x.col(0)));
  }
}

TEST_F(VariableBandwidthMaps, ForwardIsTheAdjointOfBackward) {
  const auto map = local_kernel_map(x, drift, Diffusion::constant(0.7), {.epsilon = epsilon, .bandwidth = half});
  const Vector f = x.col(0).array().sin();
  const Vector rho_density = log_pi.array().exp();
  const Vector volume = map.density().cwiseInverse();
  const double left = volume.cwiseProduct(rho_density).dot(map.backward(f));
  const double right = volume.cwiseProduct(map.forward(rho_density)).dot(f);
  EXPECT_NEAR(left, right, 1e-10 * std::abs(left));
}

TEST_F(VariableBandwidthMaps, StationaryWeightsAreLeftAloneByTheChain) {
  const auto map = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half});
  const Vector phi = map.stationary();
  EXPECT_LT((map.markov_transpose(phi) - phi).cwiseAbs().maxCoeff(), 1e-10);
}

TEST_F(VariableBandwidthMaps, EigenfunctionsBelongToTheGenerator) {
  const auto map = target_measure_map(x, log_pi, {.epsilon = epsilon, .bandwidth = half});
  const Spectrum s = eigenpairs(map, {.count = 3});
  for (Index n = 1; n <= 3; ++n) {
    const Vector psi = s.eigenfunctions.col(n);
    EXPECT_LT((map.backward(psi) - s.eigenvalues[n].real() * psi).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST_F(VariableBandwidthMaps, ExtensionIsExactAtThePointsOfTheMap) {
  MapDefinition reversible{.method = Method::TargetMeasureMap, .points = x, .log_target = log_pi, .epsilon = epsilon};
  MapDefinition local{.method = Method::LocalKernelMap, .points = x, .drift = drift, .epsilon = epsilon};
  local.diffusion = Diffusion::constant(0.7);
  for (MapDefinition* definition : {&reversible, &local}) {
    definition->bandwidth = half;
    const Map map = make_map(*definition);
    const Spectrum s = eigenpairs(map, {.count = 3});
    NewPoints where{.points = x.topRows(30)};
    if (definition->local()) {
      where.drift = drift.topRows(30);
      where.diffusion = definition->diffusion;
    }
    const Extension e = extend(map, s, where);
    EXPECT_LT((e.eigenfunctions.re - s.eigenfunctions.re.topRows(30)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

}  // namespace
}  // namespace itomap
