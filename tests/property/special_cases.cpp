// Where two maps of the paper meet, they must give the same matrix; and phi_0 must give averages over the target.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/samples.hpp"

namespace itomap::property_special_cases {

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

double distance(const Map& a, const Map& b) {
  return (samples::markov_matrix(a) - samples::markov_matrix(b)).cwiseAbs().rowwise().sum().maxCoeff();
}

Map standard_map(const Problem& p, double alpha) {
  return diffusion_map(p.points, {.epsilon = p.epsilon, .alpha = alpha, .kernel = p.kernel()});
}

Map targeted_map(const Problem& p, VectorView log_target) {
  return target_measure_map(p.points, log_target, {.epsilon = p.epsilon, .kernel = p.kernel()});
}

RC_GTEST_PROP(SpecialCases, UniformTargetIsAlphaOne, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  RC_ASSERT(distance(targeted_map(p, Vector::Zero(shape.points)), standard_map(p, 1.0)) <= 1e-12);
}

RC_GTEST_PROP(SpecialCases, SamplingDensityAsTargetIsAlphaOneHalf, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  const Map half = standard_map(p, 0.5);
  RC_ASSERT(distance(targeted_map(p, half.density().array().log()), half) <= 1e-12);
}

RC_GTEST_PROP(SpecialCases, AnyAlphaIsATarget, (const ProblemShape& shape)) {
  // d = q^-alpha = pi^1/2 / q for pi = q^(2 - 2 alpha).
  const Problem p = random_problem(shape);
  const double alpha = samples::Random(shape.seed + 1).uniform(-1.0, 2.0);
  const Map map = standard_map(p, alpha);
  RC_ASSERT(distance(targeted_map(p, (2.0 - 2.0 * alpha) * map.density().array().log()), map) <= 1e-11);
}

RC_GTEST_PROP(SpecialCases, BrownianMotionIsAlphaOne, (const ProblemShape& shape)) {
  // The density scale is left to its default: epsilon times det(A)^(1/N) = epsilon.
  const Problem p = random_problem(shape);
  const Points no_drift = Points::Zero(shape.points, shape.dimension);
  for (const Engine engine : {Engine::Sparse, Engine::Dense}) {
    const KernelOptions kernel = p.kernel(engine, 1e-15);
    const Map map = local_kernel_map(p.points, no_drift, Diffusion::constant(1.0),
                                     {.epsilon = p.epsilon, .keep_traps = true, .kernel = kernel});
    const Map standard = diffusion_map(p.points, {.epsilon = p.epsilon, .alpha = 1.0, .kernel = kernel});
    RC_ASSERT(map.density_epsilon() == p.epsilon);
    RC_ASSERT(distance(map, standard) <= 1e-12);
  }
}

RC_GTEST_PROP(SpecialCases, EtaIsAddedToTheDiffusion, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  LocalKernelMapOptions options;
  options.epsilon = p.epsilon;
  options.kernel = p.kernel(Engine::Sparse, 1e-8);
  options.density_epsilon = p.density_epsilon;
  const Map given = local_kernel_map(p.points, p.drift, Diffusion::constant(1.25), options);
  options.eta = 0.75;
  const Map raised = local_kernel_map(p.points, p.drift, Diffusion::constant(0.5), options);
  RC_ASSERT(distance(given, raised) <= 1e-12);
}

RC_GTEST_PROP(SpecialCases, TimeAndDiffusionScaleTogether, (const ProblemShape& shape)) {
  // Running a process c times faster for a time epsilon / c is the same Markov matrix.
  const Problem p = random_problem(shape);
  const double c = samples::Random(shape.seed + 1).uniform(0.5, 3.0);
  LocalKernelMapOptions options;
  options.epsilon = p.epsilon;
  options.density_epsilon = p.density_epsilon;
  options.kernel = p.kernel(Engine::Sparse, 1e-14);
  const Map map = local_kernel_map(p.points, p.drift, Diffusion::constant(1.0), options);
  options.epsilon = p.epsilon / c;
  const Map faster = local_kernel_map(p.points, c * p.drift, Diffusion::constant(c), options);
  RC_ASSERT(distance(map, faster) <= 1e-9);
}

RC_GTEST_PROP(SpecialCases, StationaryWeightsGiveTargetAverages, (std::uint64_t seed)) {
  // phi_0 q = pi (1 + epsilon W) with W = Laplacian(pi^1/2) / pi^1/2 - 2 Laplacian(q) / q, see
  // docs/theory/convergence.md: for a Gaussian target the mean moves by epsilon Cov(W, x) and the second moment by
  // epsilon Cov(W, x^2), which stay below 2 epsilon for the densities drawn here.
  samples::Random random(seed);
  const double mean = random.uniform(-0.5, 0.5);
  const double variance = random.uniform(0.6, 1.2);
  const double skew = random.uniform(-0.6, 0.6);
  constexpr double epsilon = 0.02;
  constexpr double half_width = 5.0;
  // Quantiles of the density proportional to 1 + skew cos(pi x / half_width): a sample without noise.
  const Vector angles = samples::quantile_angles(200, skew, 3.14159265358979312);
  const Points x = ((angles.array() / 3.14159265358979312 - 1.0) * half_width).matrix();
  const Vector log_target = -0.5 * (x.col(0).array() - mean).square() / variance;
  const auto map = target_measure_map(x, log_target, {.epsilon = epsilon});
  const Vector phi = map.stationary();
  RC_ASSERT(std::abs(phi.dot(x.col(0)) - mean) <= 2.0 * epsilon);
  RC_ASSERT(std::abs(phi.dot((x.col(0).array() - mean).square().matrix()) - variance) <= 2.0 * epsilon);
}

}  // namespace itomap::property_special_cases
