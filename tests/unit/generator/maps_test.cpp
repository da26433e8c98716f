#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "itomap/core/error.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/generator/target_measure_map.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

using testing::Contains;
using testing::HasSubstr;

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

Points with_outlier(Index m) {
  Points x = samples::skewed_ball(m, 2, 1.0, 3);
  x.row(m / 2) << 100.0, 100.0;
  return x;
}

TEST(Maps, NameTheBadRow) {
  Points x = samples::normal(20, 2, 1);
  x(7, 1) = std::nan("");
  EXPECT_THAT(refusal([&] { diffusion_map(x, {.epsilon = 1.0}); }), HasSubstr("points: row 7, column 1"));
  const Points good = samples::normal(20, 2, 1);
  Vector log_pi = Vector::Zero(20);
  EXPECT_THAT(refusal([&] { target_measure_map(good, Vector::Zero(19), {.epsilon = 1.0}); }),
              HasSubstr("log_target: 19 rows for 20 points"));
  log_pi[3] = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal([&] { target_measure_map(good, log_pi, {.epsilon = 1.0}); }), HasSubstr("log_target: row 3"));
  const auto a = Diffusion::constant(1.0);
  EXPECT_THAT(refusal([&] { local_kernel_map(good, Points::Zero(20, 3), a, {.epsilon = 1.0}); }),
              HasSubstr("drift: 3 columns"));
  EXPECT_THAT(refusal([&] { local_kernel_map(good, good, a, {.epsilon = 1.0, .eta = -1.0}); }), HasSubstr("eta: -1"));
}

TEST(Maps, RefuseAnEpsilonThatIsNotPositive) {
  const Points x = samples::normal(20, 2, 1);
  for (const double epsilon : {0.0, -1.0, 1e-320, double(NAN), double(INFINITY)}) {
    EXPECT_THAT(refusal([&] { diffusion_map(x, {.epsilon = epsilon}); }), HasSubstr("epsilon:"));
  }
  EXPECT_THAT(refusal([&] { diffusion_map(x.topRows(1), {}); }), HasSubstr("at least two points"));
}

TEST(Maps, RefuseUnitsThatCannotBeSquared) {
  const Points x = samples::normal(20, 2, 1);
  EXPECT_THAT(refusal([&] { diffusion_map(1e200 * x, {.epsilon = 1.0}); }), HasSubstr("take other units"));
  EXPECT_THAT(refusal([&] { diffusion_map(1e-200 * x, {.epsilon = 1.0}); }), HasSubstr("take other units"));
}

TEST(Maps, ReportAnIsolatedPointAndStayFinite) {
  const auto map = target_measure_map(with_outlier(400), Vector::Zero(400), {.epsilon = 0.05});
  EXPECT_EQ(map.diagnostics().isolated_points, 1);
  EXPECT_EQ(map.diagnostics().components, 2);
  EXPECT_THAT(map.diagnostics().warnings, Contains(HasSubstr("rows 200")));
  EXPECT_TRUE(map.backward(samples::normal(400, 1, 1)).allFinite());
}

TEST(Maps, DropIsolatedIsTheMapOfTheOthers) {
  const Points x = with_outlier(400);
  const auto dropped = diffusion_map(x, {.epsilon = 0.05, .drop_isolated = true});
  std::vector<Index> others;
  for (Index i = 0; i < 400; ++i) {
    if (i != 200) {
      others.push_back(i);
    }
  }
  EXPECT_EQ(dropped.kept(), others);
  EXPECT_EQ(dropped.diagnostics().dropped_points, 1);
  EXPECT_EQ(dropped.diagnostics().components, 1);
  EXPECT_EQ(dropped.input_points(), 400);
  const auto alone = diffusion_map(x(others, Eigen::all), {.epsilon = 0.05});
  EXPECT_EQ(dropped.density(), alone.density());
}

TEST(Maps, DropIsolatedRefusesToDropEverything) {
  EXPECT_THAT(refusal([] { diffusion_map(samples::normal(30, 2, 1), {.epsilon = 1e-9, .drop_isolated = true}); }),
              HasSubstr("raise epsilon"));
}

TEST(Maps, AStrandedEulerStepIsReportedNotDividedByZero) {
  const Points x = samples::skewed_ball(300, 2, 1.0, 3);
  Points b = Points::Zero(300, 2);
  b(10, 0) = 1e6;
  const auto map = local_kernel_map(x, b, Diffusion::constant(1.0), {.epsilon = 0.02});
  EXPECT_EQ(map.diagnostics().stranded_points, 1);
  EXPECT_EQ(map.diagnostics().isolated_points, 1);
  EXPECT_TRUE(map.backward(x.col(0)).allFinite());
  EXPECT_NEAR(map.markov(Block::Ones(300, 1))(10, 0), 1.0, 1e-14);
}

TEST(Maps, AnExtremeTargetIsReportedNotNan) {
  const Points x = samples::skewed_ball(300, 2, 1.0, 3);
  const Vector log_pi = -5000.0 * x.rowwise().squaredNorm();
  const auto map = target_measure_map(x, log_pi, {.epsilon = 0.02});
  EXPECT_GT(map.diagnostics().underflow_points, 0);
  EXPECT_TRUE(map.backward(x.col(0)).allFinite());
  EXPECT_NEAR(map.stationary().sum(), 1.0, 1e-14);
}

TEST(Maps, DefaultDensityScaleMakesBothKernelsEquallyWide) {
  const Points x = samples::normal(100, 2, 1);
  const auto map = local_kernel_map(x, -x, Diffusion::constant(0.25), {.epsilon = 0.4});
  EXPECT_NEAR(map.density_epsilon(), 0.1, 1e-15);
}

TEST(Maps, StopWhenAsked) {
  const KernelOptions kernel{.engine = Engine::Sparse};
  const Execution refusing{.progress = [](const ProgressUpdate&) { return false; }};
  EXPECT_THROW(diffusion_map(samples::normal(3000, 2, 1), {.epsilon = 0.1, .kernel = kernel, .execution = refusing}),
               Cancelled);
}

}  // namespace
}  // namespace itomap
