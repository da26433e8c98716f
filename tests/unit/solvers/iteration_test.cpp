// A walk on a line with one weak link, as a matrix: slow, and easily solved by elimination.
#include "solvers/iteration.hpp"

#include <gtest/gtest.h>

#include "core/dense_algebra.hpp"

namespace itomap {
using namespace detail;
namespace {

constexpr Index size = 60;

/// Steps to the right with probability `right`, else to the left; the link in the middle is hardly ever used.
Matrix walk(double right) {
  Matrix t = Matrix::Zero(size, size);
  for (Index i = 0; i + 1 < size; ++i) {
    const double link = i == size / 2 ? 1e-4 : 1.0;
    t(i, i + 1) = right * link;
    t(i + 1, i) = (1.0 - right) * link;
  }
  t.diagonal() = Vector::Ones(size) - t.rowwise().sum();
  return t;
}

/// Time to the first point, in steps.
struct Problem {
  explicit Problem(double right) : t(walk(right)), system{Vector::Ones(size), Vector::Ones(size)} {
    system.inside[0] = system.b[0] = 0.0;
    Matrix a = Matrix::Identity(size, size) - t;
    a.row(0) = Vector::Unit(size, 0).transpose();
    solution = solved(a, system.b);
  }
  Apply apply() const {
    return [this](PointsView x) -> Block { return t * x; };
  }
  Deflation deflated_by(const Block& functions) const { return deflation(apply(), system.inside, functions); }

  Matrix t;
  RegionSystem system;
  Vector solution;
};

const Block nothing(size, 0);
const Vector no_preconditioner = Vector::Ones(size);

Index steps_of(std::unique_ptr<Iteration> iteration, const Problem& problem, Vector& x) {
  std::vector<std::unique_ptr<Iteration>> all;
  all.push_back(std::move(iteration));
  Reporter reporter("test");
  const Index steps = advance_together(problem.apply(), all, 2000, reporter)[0];
  x = all[0]->solution();
  return steps;
}

std::unique_ptr<Iteration> gradients(const Problem& problem, const Block& functions) {
  return conjugate_gradients(problem.system, no_preconditioner, problem.deflated_by(functions), 1e-10);
}

std::unique_ptr<Iteration> residuals(const Problem& problem, const Block& functions) {
  return conjugate_residuals(problem.system, Vector::Zero(size), problem.system.b, problem.deflated_by(functions),
                             1e-10);
}

Block right_half() {
  Block half = Block::Zero(size, 1);
  half.bottomRows(size - size / 2 - 1).setOnes();
  return half;
}

TEST(ConjugateGradients, SolvesWithAndWithoutDeflation) {
  const Problem problem(0.5);
  for (const Block& functions : {nothing, right_half()}) {
    Vector x;
    steps_of(gradients(problem, functions), problem, x);
    EXPECT_LT((x - problem.solution).norm(), 1e-4 * problem.solution.norm());
    EXPECT_EQ(x[0], 0.0);
  }
}

// Without deflation the restarts would forget the slow mode again and again.
TEST(ConjugateResiduals, SolvesWithDeflation) {
  for (const double right : {0.5, 0.45, 0.3}) {
    const Problem problem(right);
    Vector x;
    EXPECT_LT(steps_of(residuals(problem, right_half()), problem, x), 2000) << right;
    EXPECT_LT((x - problem.solution).norm(), 1e-4 * problem.solution.norm()) << right;
    EXPECT_EQ(x[0], 0.0);
  }
}

// What lies in the span of the deflation costs no step at all.
TEST(Deflation, SolvesWhatItSpans) {
  const Problem problem(0.5);
  Block functions(size, 2);
  functions << right_half(), problem.solution;
  Vector x;
  EXPECT_LE(steps_of(gradients(problem, functions), problem, x), 2);
  EXPECT_LE(steps_of(residuals(problem, functions), problem, x), 2);
}

TEST(Deflation, LeavesOutFunctionsThatDependOnOthers) {
  const Problem problem(0.5);
  Block functions(size, 4);
  functions << right_half(), Block::Zero(size, 1), 2.0 * right_half(), Vector::Unit(size, 0);  // the last is outside
  const Deflation known = problem.deflated_by(functions);
  EXPECT_EQ(known.basis.cols(), 1);
  EXPECT_NEAR(known.basis.norm(), 1.0, 1e-14);
}

// Nothing is ever hit: no solution, and the iterations must come to an end by themselves or by their limit.
TEST(Iteration, EndsWithoutSolution) {
  Problem problem(0.5);
  problem.system = {Vector::Ones(size), Vector::Ones(size)};
  Vector x;
  EXPECT_LE(steps_of(gradients(problem, nothing), problem, x), 2000);
  EXPECT_LE(steps_of(residuals(problem, nothing), problem, x), 2000);
  EXPECT_GT(((Matrix::Identity(size, size) - problem.t) * x - problem.system.b).norm(), 1.0);
}

TEST(Iteration, IsFinishedAtOnceWithoutRightHandSide) {
  Problem problem(0.5);
  problem.system.b.setZero();
  EXPECT_TRUE(gradients(problem, nothing)->finished());
  EXPECT_TRUE(residuals(problem, nothing)->finished());
}

}  // namespace
}  // namespace itomap
