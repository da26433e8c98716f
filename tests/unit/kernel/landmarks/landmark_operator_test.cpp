// The landmarks engine against the O(m^2) matrix: exact where every point is a landmark, as far off elsewhere as it
// says, and its factors those of its header.
#include "kernel/landmarks/landmark_operator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "core/context.hpp"
#include "itomap/core/error.hpp"
#include "kernel/planner.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

using testing::HasSubstr;

/// Interpolation with all points as landmarks is off by what keeps their matrix from being singular.
constexpr double exact = 1e-5;

Points noisy_circle(Index m, Index dimension, double noise) {
  Points x = noise * samples::normal(m, dimension, 21);
  const Vector angle = samples::quantile_angles(m, 0.0, 0.0);
  x.col(0).array() += angle.array().cos();
  x.col(1).array() += angle.array().sin();
  return x;
}

/// Anisotropic, and different at every point.
Diffusion varying_diffusion(const Points& x) {
  const Index n = x.cols();
  Points a(x.rows(), n * n);
  for (Index i = 0; i < x.rows(); ++i) {
    Matrix at = (1.0 + 0.3 * std::sin(x(i, 0))) * Matrix::Identity(n, n);
    at(0, 1) = at(1, 0) = 0.3 * std::cos(x(i, 1));
    a.row(i) = Eigen::Map<const Eigen::RowVectorXd>(at.data(), n * n);
  }
  return Diffusion::matrices(a);
}

Block product(const KernelOperator& op, const Block& x, bool transposed = false) {
  Block y(x.rows(), x.cols());
  transposed ? op.apply_transpose(x, y) : op.apply(x, y);
  return y;
}

double landmark_difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

TEST(LandmarkOperator, IsTheMatrixWhereEveryPointIsALandmark) {
  const Points x = samples::normal(301, 5, 1);
  const Matrix k = reference::log_isotropic_kernel(x, 0.3).array().exp();
  for (const Index landmarks : {301, 5000}) {
    const LandmarkOperator op(KernelGeometry::isotropic(x, 0.3, {}), landmarks, 0.02);
    EXPECT_EQ(op.landmarks(), 301);
    for (const Index width : {1, 4, 7}) {
      const Block f = samples::normal(301, width, 2);
      EXPECT_LT(landmark_difference(product(op, f), k * f), exact);
    }
    EXPECT_LT((op.row_sums() - k.rowwise().sum()).cwiseAbs().maxCoeff(), exact);
    EXPECT_LT(op.error().sums, exact);
    EXPECT_LT(op.error().steps, exact);
  }
}

TEST(LandmarkOperator, LocalKernelsAreTheMatrixWhereEveryPointIsALandmark) {
  const Points x = samples::normal(250, 3, 1);
  const Points drift = -0.5 * x;
  for (const Diffusion& a : {Diffusion::constant(0.7), varying_diffusion(x)}) {
    const Matrix k = reference::log_local_kernel(x, drift, a, 0.2, 0.1).array().exp();
    const LandmarkOperator op(KernelGeometry::local(x, drift, a, 0.2, 0.1, {}), 250, 0.02);
    const Block f = samples::normal(250, 3, 2);
    EXPECT_LT(landmark_difference(product(op, f), k * f), 1e-3) << "narrower kernels between the same places";
    EXPECT_LT(landmark_difference(product(op, f, true), k.transpose() * f), 1e-3);
    EXPECT_FALSE(op.symmetric());
  }
}

TEST(LandmarkOperator, IsAsFarOffAsItSays) {
  const Points x = noisy_circle(1500, 12, 0.05);
  const Matrix k = reference::log_isotropic_kernel(x, 0.01).array().exp();
  const Vector sums = k.rowwise().sum();
  const Matrix u = -k.array().max(1e-300).log();
  const Vector steps = k.cwiseProduct(u).rowwise().sum().cwiseQuotient(sums);
  double last = 1.0;
  for (const Index n : {64, 256, 768}) {
    const LandmarkOperator op(KernelGeometry::isotropic(x, 0.01, {}), n, 0.02);
    const Matrix found = product(op, Matrix::Identity(1500, 1500));
    const Vector found_sums = found.rowwise().sum();
    const Vector found_steps = found.cwiseProduct(u).rowwise().sum().cwiseQuotient(found_sums);
    const auto off = [](const Vector& a, const Vector& b) {
      return std::sqrt((a.cwiseQuotient(b).array() - 1.0).square().mean());
    };
    EXPECT_NEAR(op.error().sums / off(found_sums, sums), 1.0, 0.3) << n;
    EXPECT_NEAR(op.error().steps / off(found_steps, steps), 1.0, 0.3) << n;
    EXPECT_LT(op.error().steps, 0.6 * last);
    last = op.error().steps;
  }
  EXPECT_LT(last, 0.02);
}

TEST(LandmarkOperator, DoublesUntilTheErrorIsSmallEnough) {
  const Points x = noisy_circle(20000, 12, 0.05);
  const auto with = [&](double tolerance) {
    return LandmarkOperator(KernelGeometry::isotropic(x, 0.01, {}), 0, tolerance);
  };
  const LandmarkOperator rough = with(0.2);
  const LandmarkOperator fine = with(0.025);
  EXPECT_EQ(rough.landmarks(), 256);
  EXPECT_GT(fine.landmarks(), 256);
  EXPECT_LE(fine.error().steps, 0.025);
  EXPECT_GT(rough.error().steps, 0.025);
}

struct CondensedCase {
  const char* name;
  bool drift;
  bool varying;
  bool leaves;  // some Euler steps end where no point is
};

void PrintTo(const CondensedCase& c, std::ostream* out) { *out << c.name; }

class CondensedLandmarksTest : public testing::TestWithParam<CondensedCase> {
 protected:
  CondensedLandmarksTest() {
    const Points x = noisy_circle(4000, 5, 0.05);
    Points drift = -2.0 * x;
    if (GetParam().leaves) {
      drift.topRows(3).array() += 100.0;
    }
    const Diffusion a = GetParam().varying ? varying_diffusion(x) : Diffusion::constant(1.0);
    kernel = std::make_unique<LandmarkOperator>(
        GetParam().drift ? KernelGeometry::local(x, drift, a, 0.02, 0.0, {}) : KernelGeometry::isotropic(x, 0.02, {}),
        200, 0.02);
    right = samples::normal(4000, 1, 12).col(0).array().exp();
    left = GetParam().drift ? Vector(samples::normal(4000, 1, 13).col(0).array().exp()) : right;
    condensed = kernel->condensed(left, right, {});
  }

  std::unique_ptr<LandmarkOperator> kernel;
  Vector left;
  Vector right;
  std::shared_ptr<const CondensedOperator> condensed;
};

// Rounding grows by the condition of the landmarks' own kernel, up to a million.
constexpr double rounding = 1e-8;

TEST_P(CondensedLandmarksTest, FactorsMultiplyToTheKernel) {
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(4000, 5, 14);
  const Block direct = left.asDiagonal() * product(*kernel, right.asDiagonal() * f);
  EXPECT_LT(landmark_difference(condensed->expand(condensed->condense(f)), direct), rounding);
}

TEST_P(CondensedLandmarksTest, ProductsAreThoseOfTheFactors) {
  ASSERT_NE(condensed, nullptr);
  const Block u = samples::normal(condensed->size(), 5, 15);
  Block v(u.rows(), u.cols());
  condensed->apply(u, v);
  EXPECT_LT(landmark_difference(v, condensed->condense(condensed->expand(u))), rounding);
  condensed->apply_transpose(u, v);
  EXPECT_LT(landmark_difference(v, condensed->condense_transpose(condensed->expand_transpose(u))), rounding);
}

TEST_P(CondensedLandmarksTest, TransposesAreTransposes) {
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(4000, 3, 16);
  const Block g = samples::normal(4000, 3, 18);
  const Block u = samples::normal(condensed->size(), 3, 17);
  EXPECT_LT(landmark_difference(f.transpose() * condensed->expand(u), condensed->condense_transpose(f).transpose() * u),
            rounding);
  EXPECT_LT(landmark_difference(u.transpose() * condensed->condense(f), condensed->expand_transpose(u).transpose() * f),
            rounding);
  EXPECT_LT(landmark_difference(f.transpose() * product(*kernel, g), product(*kernel, f, true).transpose() * g),
            rounding);
}

INSTANTIATE_TEST_SUITE_P(Geometries, CondensedLandmarksTest,
                         testing::Values(CondensedCase{"isotropic", false, false, false},
                                         CondensedCase{"drift", true, false, false},
                                         CondensedCase{"varying_diffusion", true, true, false},
                                         CondensedCase{"steps_that_leave", true, false, true}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(LandmarkOperator, RowsThatLeaveTheDataAreTheirOwnEntries) {
  const Points x = noisy_circle(3000, 4, 0.05);
  Points drift = Points::Zero(3000, 4);
  drift.row(7) << 0.0, 0.0, 300.0, 0.0;
  const KernelGeometry geometry = KernelGeometry::local(x, drift, Diffusion::constant(1.0), 0.02, 0.0, {});
  const LandmarkOperator op(KernelGeometry::local(x, drift, Diffusion::constant(1.0), 0.02, 0.0, {}), 200, 0.02);
  const Block f = samples::normal(3000, 2, 3);
  Block expected(1, 2);
  geometry.row_products(std::vector<Index>{7}, f, expected);
  EXPECT_LT(landmark_difference(product(op, f).row(7), expected), 1e-12);
  EXPECT_EQ(op.graph().stranded, (std::vector<Index>{7}));
  EXPECT_EQ(op.graph().components, 1);
}

TEST(LandmarkOperator, SameBitsForOneAndThreeThreads) {
  const Points x = noisy_circle(5000, 6, 0.05);
  const auto results = [&](int threads) {
    const Execution execution{.threads = threads};
    const ExecutionScope scope(execution);
    const LandmarkOperator op(KernelGeometry::local(x, -x, Diffusion::constant(1.0), 0.02, 0.0, {}), 0, 0.02);
    const auto condensed = op.condensed(Vector::Ones(5000), Vector::Ones(5000), {});
    Block v(condensed->size(), 2);
    condensed->apply(Block::Ones(condensed->size(), 2), v);
    const Block expanded = condensed->expand(v);
    Block all(5000, 6);
    all << product(op, x.leftCols(2)), product(op, x.leftCols(2), true), expanded;
    return all;
  };
  EXPECT_EQ(results(1), results(3));
}

// Nobody but themselves tells of points that are far from all others, and clusters are found among a part of them.
TEST(LandmarkOperator, OutliersBecomeLandmarks) {
  constexpr Index m = 20000;
  constexpr Index lone = 20;
  Points x = noisy_circle(m, 8, 0.02);
  for (Index i = 0; i < lone; ++i) {
    x.row(i * 1000).setConstant(5.0 + double(i));
  }
  x.row(500).setConstant(-5.0);
  x.row(1501) = x.row(500);
  x(1501, 0) += 0.1;
  x.row(7777) *= 1.5;  // two widths from its neighbours
  const LandmarkOperator op(KernelGeometry::isotropic(x, 0.02, {}), 100, 0.02);
  EXPECT_GT(op.landmarks(), 100);
  const Vector sums = op.row_sums();
  const auto expected = [&](Index i) {
    return (-(x.rowwise() - x.row(i)).rowwise().squaredNorm() / 0.08).array().exp().sum();
  };
  for (Index i = 0; i < lone; ++i) {
    EXPECT_NEAR(sums[i * 1000], 1.0, exact) << i;
  }
  for (const Index i : {500, 1501, 7777}) {
    EXPECT_NEAR(sums[i], expected(i), 0.1 * expected(i)) << i;
  }
  const KernelGraph graph = op.graph();
  EXPECT_EQ(graph.components, 2 + lone);
  EXPECT_EQ(Index(graph.isolated.size()), lone);
  EXPECT_EQ(graph.component[500], graph.component[1501]);
}

TEST(LandmarkOperator, GraphKnowsComponentsAndIsolatedPoints) {
  Points x(7, 1);
  x << 0.0, 50.0, 0.1, 50.1, 0.2, 99.0, 50.2;
  const auto graph = LandmarkOperator(KernelGeometry::isotropic(x, 0.1, {}), 0, 0.02).graph();
  EXPECT_EQ(graph.components, 3);
  EXPECT_EQ(graph.component, (std::vector<Index>{0, 1, 0, 1, 0, 2, 1}));
  EXPECT_EQ(graph.isolated, (std::vector<Index>{5}));
  EXPECT_DOUBLE_EQ(graph.mean_neighbours, 19.0 / 7.0);
}

TEST(LandmarkOperator, DuplicatesCountEachTime) {
  Points x = samples::normal(600, 3, 5);
  x.bottomRows(400).rowwise() = Eigen::RowVector3d(0.1, 0.2, 0.3);
  const Matrix k = reference::log_isotropic_kernel(x, 0.5).array().exp();
  for (const Index landmarks : {100, 600, 0}) {
    const LandmarkOperator op(KernelGeometry::isotropic(x, 0.5, {}), landmarks, 0.02);
    EXPECT_LT(landmark_difference(op.row_sums(), k.rowwise().sum()), 0.02) << landmarks;
  }
  const LandmarkOperator one(KernelGeometry::isotropic(Points::Constant(50, 3, 0.5), 0.5, {}), 10, 0.02);
  EXPECT_LT(landmark_difference(one.row_sums(), Vector::Constant(50, 50.0)), exact);
}

TEST(LandmarkOperator, RefusesWhereMostPointsAreAlone) {
  const Points x = 100.0 * samples::normal(6000, 6, 1);
  try {
    const LandmarkOperator op(KernelGeometry::isotropic(x, 0.01, {}), 100, 0.02);
    FAIL() << "found " << op.landmarks();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("too many points are seen by none of 100, like point"));
  }
}

std::string refusal(KernelGeometry geometry, const KernelOptions& options) {
  try {
    make_kernel(std::move(geometry), options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(LandmarkOperator, RefusesPeriodsAndVaryingWidths) {
  const Points x = samples::normal(100, 2, 1);
  const KernelOptions periodic{.engine = Engine::Landmarks, .period = {3.0, 0.0}};
  EXPECT_THAT(refusal(KernelGeometry::isotropic(x, 0.1, periodic), periodic), HasSubstr("cosine and sine"));
  const KernelOptions plain{.engine = Engine::Landmarks};
  EXPECT_THAT(refusal(KernelGeometry::variable(x, Vector::LinSpaced(100, 1.0, 2.0), 0.1, plain), plain),
              HasSubstr("bandwidth"));
}

TEST(LandmarkOperator, IsTakenWhereItIsTheOnlyOneThatFits) {
  const KernelOptions options{.landmarks = 16};
  KernelGeometry geometry = KernelGeometry::isotropic(noisy_circle(20000, 40, 0.05), 0.5, options);
  const Execution tight{.memory = geometry.memory() + 5000000};
  const ExecutionScope scope(tight);
  KernelPlan plan;
  make_kernel(std::move(geometry), options, 0.0, &plan);
  EXPECT_EQ(plan.engine, Engine::Landmarks);
  EXPECT_THAT(plan.reason, HasSubstr("does not fit"));
  EXPECT_THAT(plan.reason, HasSubstr("16 landmarks: steps off by"));
}

TEST(LandmarkOperator, PlanSaysWhatItCosts) {
  const KernelOptions options{.engine = Engine::Landmarks, .landmarks = 128};
  KernelPlan plan;
  make_kernel(KernelGeometry::isotropic(noisy_circle(3000, 12, 0.05), 0.01, options), options, 0.0, &plan);
  EXPECT_EQ(plan.landmarks, 128);
  EXPECT_GT(plan.step_error, 0.0);
  EXPECT_GT(plan.sum_error, 0.0);
  EXPECT_THAT(plan.reason, HasSubstr("128 landmarks"));
}

}  // namespace
}  // namespace itomap
