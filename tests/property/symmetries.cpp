// The maps know distances only: permuting the points permutes everything, moving and rotating them changes nothing.
#include <gtest/gtest.h>

#include "itomap/spectrum/spectrum.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/samples.hpp"
#include "support/statistics.hpp"

namespace itomap::property_symmetries {

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

/// Rounding may push an entry across the cut-off: it is chosen so small that this does not show.
constexpr double cutoff = 1e-14;

/// The same process with A given as one full matrix per point.
Diffusion as_matrices(const Problem& p, const Matrix& rotation) {
  const Index n = p.points.cols();
  Points matrices(p.points.rows(), n * n);
  for (Index i = 0; i < p.points.rows(); ++i) {
    const Matrix a = rotation * p.diffusion.at(i, n) * rotation.transpose();
    matrices.row(i) = (0.5 * (a + a.transpose())).reshaped<Eigen::RowMajor>().transpose();
  }
  return Diffusion::matrices(matrices);
}

/// Largest difference of P f between the maps of two problems.
double distance(const Problem& first, const Problem& second, Engine engine) {
  const auto a = samples::all_maps(first, first.kernel(engine, cutoff));
  const auto b = samples::all_maps(second, second.kernel(engine, cutoff));
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Vector difference = a[k].backward(first.function) - b[k].backward(second.function);
    largest = std::max(largest, difference.lpNorm<Eigen::Infinity>() * a[k].epsilon());
  }
  return largest;
}

Engine random_engine(const ProblemShape& shape) { return shape.seed % 2 == 0 ? Engine::Sparse : Engine::Dense; }

RC_GTEST_PROP(Symmetries, PermutingThePointsPermutesTheResult, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  const auto order = samples::random_permutation(shape.points, shape.seed + 1);
  Problem q = p;
  q.points = p.points(order, Eigen::all);
  q.drift = p.drift(order, Eigen::all);
  q.diffusion = p.diffusion.subset(order);
  q.log_target = p.log_target(order);
  q.function = p.function(order);
  const auto before = samples::all_maps(p, p.kernel(random_engine(shape), cutoff));
  const auto after = samples::all_maps(q, q.kernel(random_engine(shape), cutoff));
  for (std::size_t k = 0; k < before.size(); ++k) {
    RC_LOG() << samples::name_of(before[k]);
    const Vector expected = before[k].backward(p.function)(order);
    const Vector difference = expected - after[k].backward(q.function);
    RC_ASSERT(difference.lpNorm<Eigen::Infinity>() * p.epsilon <= 1e-10);
  }
}

RC_GTEST_PROP(Symmetries, MovingThePointsKeepsTheResult, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  Problem moved = p;
  moved.points.rowwise() += 10.0 * samples::normal(1, shape.dimension, shape.seed + 1).row(0);
  RC_ASSERT(distance(p, moved, random_engine(shape)) <= 1e-9);
}

RC_GTEST_PROP(Symmetries, FarFromTheOriginNoDigitIsLost, (const ProblemShape& shape)) {
  // Coordinates that are exact in both places: multiples of 2^-10, and the same at 2^42 or so.
  Problem p = random_problem(shape);
  p.points = (p.points * 0x1p10).array().round() * 0x1p-10;
  Problem moved = p;
  for (Index a = 0; a < shape.dimension; ++a) {
    moved.points.col(a).array() += a % 2 == 0 ? 0x1p42 : -0x1p41;
  }
  RC_ASSERT(distance(p, moved, random_engine(shape)) <= 1e-9);
}

RC_GTEST_PROP(Symmetries, FoldingPeriodicCoordinatesKeepsTheResult, (const ProblemShape& shape)) {
  const Problem p = random_problem(shape);
  Problem shifted = p;
  samples::Random random(shape.seed + 1);
  for (Index i = 0; i < shape.points; ++i) {
    for (Index a = 0; a < shape.dimension; ++a) {
      shifted.points(i, a) += double(random.below(7) - 3) * p.period[std::size_t(a)];
    }
  }
  RC_ASSERT(distance(p, shifted, random_engine(shape)) <= 1e-9);
}

RC_GTEST_PROP(Symmetries, RotatingThePointsKeepsTheResult, (ProblemShape shape)) {
  shape.periodic_axes = 0;
  const Problem p = random_problem(shape);
  const Matrix rotation = samples::random_rotation(shape.dimension, shape.seed + 1);
  Problem rotated = p;
  rotated.points = p.points * rotation.transpose();
  rotated.drift = p.drift * rotation.transpose();
  rotated.diffusion = as_matrices(p, rotation);
  RC_ASSERT(distance(p, rotated, random_engine(shape)) <= 1e-9);
}

RC_GTEST_PROP(Symmetries, MovingThePointsKeepsTheSpectrum, (ProblemShape shape)) {
  shape.points = 30 + shape.points;
  shape.periodic_axes = 0;
  const Problem p = random_problem(shape);
  Problem moved = p;
  moved.points = (p.points.rowwise() + samples::normal(1, shape.dimension, shape.seed + 1).row(0)) *
                 samples::random_rotation(shape.dimension, shape.seed + 2).transpose();
  const auto before = samples::all_maps(p, p.kernel(Engine::Sparse, cutoff));
  const auto after = samples::all_maps(moved, moved.kernel(Engine::Sparse, cutoff));
  for (std::size_t k = 0; k < 2; ++k) {  // the maps without drift
    const Spectrum a = eigenpairs(before[k], {.count = 5});
    const Spectrum b = eigenpairs(after[k], {.count = 5});
    // Flagged modes come on top of those asked for, and whether one is may be a matter of rounding.
    const Index common = std::min(a.eigenvalues.size(), b.eigenvalues.size());
    RC_ASSERT(common > 5);
    RC_ASSERT((a.eigenvalues.head(common) - b.eigenvalues.head(common)).cwiseAbs().maxCoeff() * p.epsilon <= 1e-8);
  }
}

}  // namespace itomap::property_symmetries
