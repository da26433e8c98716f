// All engines and the O(m^2) reference are the same matrices, up to the cut-off.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "itomap/core/error.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/reference.hpp"

namespace itomap::property_engines {

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

constexpr double rounding = 1e-11;

/// Fails if a row of P differs from the reference's by more than the cut-off can explain.
void check_markov(const Map& map, const reference::Map& expected, double cutoff) {
  RC_LOG() << samples::name_of(map);
  const Vector bound = expected.cutoff_bound(cutoff);
  const Vector error = (samples::markov_matrix(map) - expected.markov).cwiseAbs().rowwise().sum();
  Index worst = 0;
  (error - bound).maxCoeff(&worst);
  RC_LOG() << "row " << worst << ": error " << error[worst] << ", bound " << bound[worst];
  RC_ASSERT(error[worst] <= bound[worst] + rounding);
}

void check_density(const Map& map, const reference::Map& expected, double cutoff) {
  if (map.method() == Method::BiasedLocalKernelMap) {
    return;  // the reference's q is 1 there
  }
  const Vector log_error = map.density().array().log().matrix() - expected.log_density;
  RC_ASSERT(log_error.lpNorm<Eigen::Infinity>() <= 8.0 * double(map.size()) * cutoff + rounding);
}

/// P^T w = (w^T P)^T and L* by its definition, from the same engine: no cut-off error to allow for.
void check_transpose(const Map& map, VectorView w) {
  RC_LOG() << samples::name_of(map);
  const Matrix p = samples::markov_matrix(map);
  const Vector expected = p.transpose() * w;
  RC_ASSERT((map.markov_transpose(w).col(0) - expected).lpNorm<Eigen::Infinity>() <=
            1e-12 * (1.0 + expected.lpNorm<Eigen::Infinity>()));
}

void check_engine(const ProblemShape& shape, Engine engine, double cutoff) {
  const Problem problem = random_problem(shape);
  const auto maps = samples::all_maps(problem, problem.kernel(engine, cutoff));
  const auto expected = samples::all_reference_maps(problem);
  for (std::size_t k = 0; k < maps.size(); ++k) {
    check_markov(maps[k], expected[k], cutoff);
    check_density(maps[k], expected[k], cutoff);
    check_transpose(maps[k], problem.function);
  }
}

RC_GTEST_PROP(Engines, SparseIsTheReference, (const ProblemShape& shape)) { check_engine(shape, Engine::Sparse, 1e-8); }

RC_GTEST_PROP(Engines, DenseIsTheReference, (const ProblemShape& shape)) { check_engine(shape, Engine::Dense, 1e-8); }

RC_GTEST_PROP(Engines, GridIsTheReference, (ProblemShape shape)) {
  // What it is made for: few coordinates and one A for all points, along the axes if they close on themselves.
  shape.dimension = 1 + shape.dimension % 3;
  shape.diffusion_kind = shape.diffusion_kind % 2 == 0 ? 0 : 3;
  shape.periodic_axes = shape.diffusion_kind == 0 ? shape.periodic_axes : 0;
  try {
    check_engine(shape, Engine::Grid, 1e-8);
  } catch (const InvalidArgument& refusal) {
    // Two points far apart may leave nothing but empty space to put a grid on.
    RC_PRE(std::string(refusal.what()).find("spread too thin") == std::string::npos);
    throw;
  }
}

RC_GTEST_PROP(Engines, LandmarksAtAllPointsAreTheReference, (ProblemShape shape)) {
  // What it is made for: no periods, no bandwidth.
  shape.periodic_axes = 0;
  constexpr double pivot = 1e-6;  // that keeps the landmarks' matrix from being singular: entries are off by as much
  const Problem problem = random_problem(shape);
  KernelOptions options = problem.kernel(Engine::Landmarks, 1e-8);
  options.landmarks = problem.points.rows();
  const auto maps = samples::all_maps(problem, options);
  const auto expected = samples::all_reference_maps(problem);
  for (std::size_t k = 0; k < maps.size(); ++k) {
    if (maps[k].reversible()) {
      check_markov(maps[k], expected[k], pivot);
    }
  }
}

RC_GTEST_PROP(Engines, SparseWithTinyCutoffIsTheReference, (const ProblemShape& shape)) {
  check_engine(shape, Engine::Sparse, 1e-15);
}

RC_GTEST_PROP(Engines, AutoIsOneOfThem, (const ProblemShape& shape)) { check_engine(shape, Engine::Auto, 1e-8); }

RC_GTEST_PROP(Engines, ForwardIsTheReference, (ProblemShape shape)) {
  // Entries of L* carry ratios of densities; in few dimensions these stay moderate, so that one tolerance fits all.
  shape.dimension = 1 + shape.dimension % 3;
  const Problem problem = random_problem(shape);
  const auto expected = samples::all_reference_maps(problem);
  for (const Engine engine : {Engine::Sparse, Engine::Dense}) {
    const auto maps = samples::all_maps(problem, problem.kernel(engine, 1e-15));
    for (std::size_t k = 0; k < maps.size(); ++k) {
      RC_LOG() << samples::name_of(maps[k]);
      const Matrix forward = expected[k].forward();
      const Vector difference = maps[k].forward(problem.function) - forward * problem.function;
      const double size = forward.cwiseAbs().rowwise().sum().maxCoeff();
      RC_ASSERT(difference.lpNorm<Eigen::Infinity>() <= 1e-9 * size);
    }
  }
}

}  // namespace itomap::property_engines
