#include "kernel/kernel_operator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/context.hpp"
#include "itomap/core/error.hpp"
#include "kernel/planner.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using testing::HasSubstr;

std::shared_ptr<const KernelOperator> local_kernel(const Points& x, const Points& b, Engine engine) {
  const KernelOptions options{.engine = engine, .cutoff = 1e-12};
  return make_kernel(KernelGeometry::local(x, b, Diffusion::constant(0.7), 0.05, 0.0, options), options);
}

class Engines : public testing::TestWithParam<Engine> {};

TEST_P(Engines, ProductsAndTransposedProductsAreThoseOfTheMatrix) {
  const Points x = samples::normal(700, 2, 1);
  const Points b = -0.5 * x;
  const Matrix k = reference::log_local_kernel(x, b, Diffusion::constant(0.7), 0.05, 0.0).array().exp();
  const auto op = local_kernel(x, b, GetParam());
  const Block f = samples::normal(700, 3, 2);
  Block y(700, 3);
  op->apply(f, y);
  EXPECT_LT((y - k * f).cwiseAbs().maxCoeff(), 1e-8);
  op->apply_transpose(f, y);
  EXPECT_LT((y - k.transpose() * f).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((op->row_sums() - k.rowwise().sum()).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(op->memory(), 0U);
}

TEST_P(Engines, SameBitsForOneAndThreeThreads) {
  const Points x = samples::normal(1100, 2, 1);
  const Block f = samples::normal(1100, 2, 2);
  const auto product = [&](int threads) {
    const Execution execution{.threads = threads};
    const ExecutionScope scope(execution);
    Block y(1100, 2);
    local_kernel(x, -x, GetParam())->apply_transpose(f, y);
    return y;
  };
  EXPECT_EQ(product(1), product(3));
}

TEST_P(Engines, APointThatSeesNoWeightHasTheSumZero) {
  if (GetParam() == Engine::Grid) {
    GTEST_SKIP() << "accurate relative to the largest entries: such rows are computed from their own";
  }
  // All in one tile: what is cut off is cut off entry by entry.
  Points x = samples::normal(50, 2, 1);
  x.bottomRows(25).array() += 20.0;
  Block weights = Block::Ones(50, 1);
  weights.topRows(25).setZero();
  Block y(50, 1);
  const auto op = local_kernel(x, Points::Zero(50, 2), GetParam());
  op->apply(weights, y);
  EXPECT_TRUE((y.topRows(25).array() == 0.0).all()) << y(0, 0);
  EXPECT_TRUE((y.bottomRows(25).array() > 0.5).all());
  op->apply_transpose(weights, y);
  EXPECT_TRUE((y.topRows(25).array() == 0.0).all()) << y(0, 0);
}

TEST_P(Engines, AnOutlierThatNobodySeesHasTheTransposedSumZero) {
  // Its own step ends among the others, so that every row is near the data, but not every column.
  Points x = samples::normal(200, 2, 1);
  x.row(199) << 60.0, 0.0;
  Points b = Points::Zero(200, 2);
  b.row(199) << -60.0 / 0.05, 0.0;
  Block y = Block::Constant(200, 1, 7.0);
  local_kernel(x, b, GetParam())->apply_transpose(Block::Ones(200, 1), y);
  EXPECT_EQ(y(199, 0), 0.0);
}

TEST_P(Engines, GraphKnowsComponentsAndIsolatedPoints) {
  Points x(7, 1);
  x << 0.0, 50.0, 0.1, 50.1, 0.2, 99.0, 50.2;
  const KernelOptions options{.engine = GetParam()};
  const auto graph = make_kernel(KernelGeometry::isotropic(x, 0.1, options), options)->graph();
  EXPECT_EQ(graph.components, 3);
  EXPECT_EQ(graph.component, (std::vector<Index>{0, 1, 0, 1, 0, 2, 1}));
  EXPECT_EQ(graph.isolated, (std::vector<Index>{5}));
  EXPECT_DOUBLE_EQ(graph.mean_neighbours, 19.0 / 7.0);
  EXPECT_TRUE(graph.stranded.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Engines, testing::Values(Engine::Sparse, Engine::Grid, Engine::Dense),
                         [](const auto& engine) { return std::string(to_string(engine.param)); });

KernelPlan plan_for(const Points& x, double epsilon) {
  KernelPlan plan;
  make_kernel(KernelGeometry::isotropic(x, epsilon, {}), {}, 0.0, &plan);
  return plan;
}

TEST(Planner, TakesSparseForFewNeighboursAndOtherEnginesForMany) {
  const Points plane = samples::normal(20000, 2, 1);
  EXPECT_EQ(plan_for(plane, 1e-6).engine, Engine::Sparse);
  EXPECT_EQ(plan_for(plane, 0.1).engine, Engine::Grid);
  EXPECT_THAT(plan_for(plane, 0.1).reason, HasSubstr("sparse"));
  const Points space = samples::normal(2000, 5, 1);
  EXPECT_EQ(plan_for(space, 1e-3).engine, Engine::Sparse);
  EXPECT_NE(plan_for(space, 10.0).engine, Engine::Grid);
}

TEST(Planner, RefusesBeforeItStartsWhenMemoryIsShort) {
  const Points x = samples::normal(3000, 2, 1);
  const auto refusal = [&](std::size_t memory, Engine engine) -> std::string {
    const Execution execution{.memory = memory};
    const ExecutionScope scope(execution);
    const KernelOptions options{.engine = engine};
    try {
      make_kernel(KernelGeometry::isotropic(x, 0.1, options), options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(100000, Engine::Auto), HasSubstr("100.0 kB are allowed"));
  EXPECT_THAT(refusal(4000000, Engine::Sparse), HasSubstr("the sparse engine needs about"));
  EXPECT_EQ(refusal(4000000, Engine::Auto), "") << "dense still fits";
}

TEST(Planner, RefusesAGridThatIsNearlyEmpty) {
  const Points x = 2000.0 * samples::normal(11, 2, 1);
  KernelOptions options{.engine = Engine::Grid};
  EXPECT_THAT([&] { make_kernel(KernelGeometry::isotropic(x, 0.1, options), options); },
              testing::ThrowsMessage<InvalidArgument>(HasSubstr("engine: grid would be mostly empty")));
  EXPECT_NO_THROW(make_kernel(KernelGeometry::isotropic(x, 1e4, options), options));
}

TEST(KernelOptions, ValidateNamesTheOptionAndItsRange) {
  const auto refusal = [](const KernelOptions& options) -> std::string {
    try {
      options.validate(2);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_THAT(refusal({.cutoff = 0.0}), HasSubstr("cutoff: 0 is not between 0 and 1"));
  EXPECT_THAT(refusal({.cutoff = 1.0}), HasSubstr("cutoff: 1"));
  EXPECT_THAT(refusal({.period = {1.0}}), HasSubstr("1 values for 2 coordinates"));
  EXPECT_THAT(refusal({.period = {1.0, -2.0}}), HasSubstr("-2 for coordinate 1"));
  EXPECT_THROW(engine_from_string("fast"), InvalidArgument);
  EXPECT_EQ(engine_from_string("dense"), Engine::Dense);
}

}  // namespace
}  // namespace itomap
