// LKDmap on a curve in the plane: which part of an ambient A and b the process on the curve sees.
//
// On the unit circle with tangent t and normal n, write M = A^-1. The kernel's moments along the curve give
//
//   L f = f'' / M_tt + (b_t + (M_tn / M_tt) (b_n + 3 / M_tt)) f'
//
// where ' is the derivative by arc length: see docs/theory/convergence.md. If t is an eigenvector of A this is A_tt f''
// + b_t f', as the paper says; otherwise A_tt is replaced by 1 / M_tt, and correlations of tangent and normal noise
// bend into a drift. The points are noise-free, so that errors are O(epsilon).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "itomap/generator/local_kernel_map.hpp"
#include "support/samples.hpp"
#include "support/statistics.hpp"

namespace itomap::science_curved_manifold {

/// Ambient coefficients in the frame (t, n), as functions of the angle.
struct FrameProcess {
  std::function<double(double)> a_tt, a_tn, a_nn, b_t, b_n;
};

const Vector angles = samples::quantile_angles(600, 0.5, 0.3);

Vector at_angles(const std::function<double(double)>& function) {
  Vector values(angles.size());
  for (Index i = 0; i < angles.size(); ++i) {
    values[i] = function(angles[i]);
  }
  return values;
}

/// R diag-frame R^T: columns of the rotation are t = (-sin, cos) and n = (cos, sin).
Eigen::Matrix2d frame(double angle) {
  Eigen::Matrix2d r;
  r << -std::sin(angle), std::cos(angle), std::cos(angle), std::sin(angle);
  return r;
}

Map curve_map(const FrameProcess& p, double epsilon) {
  Points drift(angles.size(), 2);
  Points diffusion(angles.size(), 4);
  for (Index i = 0; i < angles.size(); ++i) {
    const double s = angles[i];
    Eigen::Matrix2d a;
    a << p.a_tt(s), p.a_tn(s), p.a_tn(s), p.a_nn(s);
    a = (frame(s) * a * frame(s).transpose()).eval();
    const Eigen::Vector2d b = frame(s) * Eigen::Vector2d(p.b_t(s), p.b_n(s));
    drift.row(i) << b[0], b[1];
    diffusion.row(i) << a(0, 0), 0.5 * (a(0, 1) + a(1, 0)), 0.5 * (a(0, 1) + a(1, 0)), a(1, 1);
  }
  return local_kernel_map(
      samples::on_circle(angles), drift, Diffusion::matrices(diffusion),
      {.epsilon = epsilon, .density_epsilon = epsilon, .kernel = {.engine = Engine::Sparse, .cutoff = 1e-14}});
}

double f(double s) { return std::sin(s) + 0.5 * std::cos(2.0 * s); }
double f1(double s) { return std::cos(s) - std::sin(2.0 * s); }
double f2(double s) { return -std::sin(s) - 2.0 * std::cos(2.0 * s); }

double limit(const FrameProcess& p, double s) {
  const double det = p.a_tt(s) * p.a_nn(s) - p.a_tn(s) * p.a_tn(s);
  const double m_tt = p.a_nn(s) / det;
  const double m_tn = -p.a_tn(s) / det;
  return f2(s) / m_tt + (p.b_t(s) + m_tn / m_tt * (p.b_n(s) + 3.0 / m_tt)) * f1(s);
}

std::vector<double> errors(const FrameProcess& p, const std::vector<double>& epsilons) {
  std::vector<double> result;
  for (const double epsilon : epsilons) {
    const Vector computed = curve_map(p, epsilon).backward(at_angles(f));
    const Vector expected = at_angles([&](double s) { return limit(p, s); });
    result.push_back(statistics::root_mean_square(computed - expected));
  }
  return result;
}

void expect_first_order(const FrameProcess& p) {
  const std::vector<double> epsilons{0.016, 0.008, 0.004};
  const auto e = errors(p, epsilons);
  EXPECT_NEAR(statistics::log_log_slope(epsilons, e), 1.0, 0.2);
  EXPECT_LT(e.back(), 0.1);
}

double one(double) { return 1.0; }
double zero(double) { return 0.0; }

TEST(CurvedManifold, IsotropicNoiseAndTangentDrift) {
  const auto a = [](double s) { return 1.0 + 0.3 * std::cos(s); };
  expect_first_order({a, zero, a, [](double s) { return 0.5 + 0.3 * std::sin(s); }, zero});
}

TEST(CurvedManifold, NormalComponentsDoNotMatterIfTheTangentIsAnEigenvector) {
  const auto a_tt = [](double s) { return 1.0 + 0.3 * std::cos(s); };
  const auto b_t = [](double s) { return 0.5 + 0.3 * std::sin(s); };
  const FrameProcess p{a_tt, zero, [](double) { return 0.4; }, b_t, [](double s) { return 0.8 * std::cos(s); }};
  expect_first_order(p);
  EXPECT_NEAR(limit(p, 0.7), a_tt(0.7) * f2(0.7) + b_t(0.7) * f1(0.7), 1e-12);
}

TEST(CurvedManifold, CorrelatedNormalNoiseChangesTheProcess) {
  expect_first_order({one, [](double s) { return 0.3 + 0.1 * std::sin(s); }, one, zero, zero});
}

TEST(CurvedManifold, CorrelatedNormalNoiseAndNormalDrift) {
  expect_first_order({one, [](double) { return 0.4; }, [](double) { return 0.8; },
                      [](double s) { return 0.5 * std::cos(s); }, [](double s) { return 0.6 + 0.3 * std::sin(s); }});
}

}  // namespace itomap::science_curved_manifold
