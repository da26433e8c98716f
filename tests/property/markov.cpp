// What every generator owes to being a Markov matrix with a dual: L 1 = 0, (D L)^T = D L*, phi_0 L = 0.
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/generator/target_measure_map.hpp"
#include "support/arbitrary_problem.hpp"
#include "support/problem_maps.hpp"
#include "support/samples.hpp"

namespace itomap::property_markov {

using samples::Problem;
using samples::ProblemShape;
using samples::random_problem;

RC_GTEST_PROP(Markov, ConstantsAreInTheKernelOfL, (const ProblemShape& shape)) {
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const Vector l1 = map.backward(Vector::Ones(shape.points));
    RC_ASSERT(l1.lpNorm<Eigen::Infinity>() * map.epsilon() <= 1e-13 * double(shape.points));
  }
}

RC_GTEST_PROP(Markov, RowsAreProbabilities, (const ProblemShape& shape)) {
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    RC_ASSERT(samples::markov_matrix(map).minCoeff() >= 0.0);
  }
}

RC_GTEST_PROP(Markov, ForwardIsTheDualOfBackward, (const ProblemShape& shape)) {
  // u . D L v = v . D L* u with D = diag(1/q), and D = I for the biased kernel.
  const Problem problem = random_problem(shape);
  const Vector u = samples::normal(shape.points, 1, shape.seed + 1).col(0);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const bool biased = map.method() == Method::BiasedLocalKernelMap;
    const Vector d = biased ? Vector(Vector::Ones(shape.points)) : Vector(map.density().cwiseInverse());
    const Vector lv = map.backward(problem.function);
    const double left = u.dot(d.cwiseProduct(lv));
    const double right = problem.function.dot(d.cwiseProduct(map.forward(u)));
    const double size =
        u.cwiseAbs().dot(d.cwiseProduct(lv.cwiseAbs())) + u.norm() * problem.function.norm() / map.epsilon();
    RC_ASSERT(std::abs(left - right) <= 1e-12 * size);
  }
}

RC_GTEST_PROP(Markov, ForwardConservesMass, (const ProblemShape& shape)) {
  // The integral of L* rho is zero: sum_i (L* rho)_i / q_i = 0.
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    RC_LOG() << samples::name_of(map);
    const bool biased = map.method() == Method::BiasedLocalKernelMap;
    const Vector change = map.forward(problem.function.cwiseAbs());
    const Vector share = biased ? change : Vector(change.cwiseQuotient(map.density()));
    RC_ASSERT(std::abs(share.sum()) <= 1e-12 * (share.lpNorm<1>() + double(shape.points) / map.epsilon()));
  }
}

RC_GTEST_PROP(Markov, StationaryWeightsAreInvariant, (const ProblemShape& shape)) {
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    if (map.reversible()) {
      RC_LOG() << samples::name_of(map);
      const Vector phi = map.stationary();
      const Vector lf = map.backward(problem.function);
      RC_ASSERT(std::abs(phi.sum() - 1.0) <= 1e-13);
      RC_ASSERT(std::abs(phi.dot(lf)) * map.epsilon() <= 1e-13 * problem.function.lpNorm<Eigen::Infinity>());
    }
  }
}

RC_GTEST_PROP(Markov, ReversibleMapsAreInDetailedBalance, (const ProblemShape& shape)) {
  const Problem problem = random_problem(shape);
  for (const Map& map : samples::all_maps(problem, problem.kernel())) {
    if (map.reversible()) {
      RC_LOG() << samples::name_of(map);
      const Matrix flow = map.stationary().asDiagonal() * samples::markov_matrix(map);
      RC_ASSERT((flow - flow.transpose()).cwiseAbs().maxCoeff() <= 1e-15 + 1e-12 * flow.maxCoeff());
    }
  }
}

RC_GTEST_PROP(Markov, FactorOfTheTargetDoesNotMatter, (const ProblemShape& shape)) {
  const Problem problem = random_problem(shape);
  const double log_factor = samples::Random(shape.seed + 2).uniform(-1e4, 1e4);
  const Vector scaled = problem.log_target.array() + log_factor;
  const auto map =
      target_measure_map(problem.points, problem.log_target, {.epsilon = problem.epsilon, .kernel = problem.kernel()});
  const auto same =
      target_measure_map(problem.points, scaled, {.epsilon = problem.epsilon, .kernel = problem.kernel()});
  const Vector difference = map.backward(problem.function) - same.backward(problem.function);
  // log pi + c rounds to 1e4 * 2^-53.
  RC_ASSERT(difference.lpNorm<Eigen::Infinity>() * map.epsilon() <= 1e-10);
  RC_ASSERT((map.stationary() - same.stationary()).lpNorm<1>() <= 1e-10);
}

}  // namespace itomap::property_markov
