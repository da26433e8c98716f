// Points of a local kernel that would hold the process for good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/generator/local_kernel_map.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double trap_epsilon = 0.05;

/// A process that turns around the origin on a cloud, and what stands far out to its right, with a drift that keeps it
/// there.
struct Rotation {
  explicit Rotation(const Points& outliers)
      : points(600 + outliers.rows(), 2), drift(points.rows(), 2), first_outlier(600) {
    points << samples::skewed_ball(600, 2, 1.0, 5), outliers;
    drift << -points.col(0) + 2.0 * points.col(1), -2.0 * points.col(0) - points.col(1);
    drift.bottomRows(outliers.rows()).rowwise() = Eigen::RowVector2d(6.0, 0.0);
  }

  Map map(bool keep_traps = false) const {
    return local_kernel_map(points, drift, Diffusion::constant(0.5),
                            {.epsilon = trap_epsilon, .keep_traps = keep_traps});
  }

  Points points;
  Points drift;
  Index first_outlier;
};

Points lone_point() { return (Points(1, 2) << 1.9, 0.0).finished(); }

std::complex<double> rotation_of(const Spectrum& s) {
  for (Index n = 1; n < s.eigenvalues.size(); ++n) {
    if (!s.is_spurious(n) && s.eigenvalues[n].imag() > 0.1) {
      return s.eigenvalues[n];
    }
  }
  return 0.0;
}

TEST(Traps, NoProcessEndsInALonePoint) {
  const Rotation alone(Points(0, 2));
  const Rotation with(lone_point());
  const auto map = with.map();
  EXPECT_EQ(map.diagnostics().trap_points, 1);
  EXPECT_THAT(map.diagnostics().warnings, Contains(HasSubstr("rows 600")));
  const Spectrum s = eigenpairs(map, {.count = 4});
  EXPECT_EQ(s.stationary[with.first_outlier], 0.0);
  EXPECT_TRUE(s.spurious.empty());
  // The outlier changes q, and with it d, of the points that see it, by a part in a thousand or so.
  EXPECT_NEAR(std::abs(rotation_of(s) - rotation_of(eigenpairs(alone.map(), {.count = 4}))), 0.0, 0.02);
}

TEST(Traps, AnExtensionGivesTheirValues) {
  const Rotation with(lone_point());
  const auto map = with.map();
  const Vector f = with.points.col(0);
  const double landed = map.markov(f)(with.first_outlier, 0);
  EXPECT_GT(landed, 0.5);
  EXPECT_LT(landed, 1.1) << "it leaves to the edge of the cloud";
}

TEST(Traps, KeptOnRequestTheyAreFlaggedByTheirLeftVector) {
  // The formula to the letter: whatever comes by stays, and the leading mode is the way there.
  const Rotation with(lone_point());
  const auto map = with.map(true);
  EXPECT_EQ(map.diagnostics().trap_points, 0);
  const Spectrum s = eigenpairs(map, {.count = 4});
  EXPECT_GT(s.stationary[with.first_outlier], 0.5) << "of 601 points";
  EXPECT_TRUE(s.is_spurious(1)) << s.effective_points.transpose();
  EXPECT_THAT(s.warnings, Contains(HasSubstr("stationary weights live on a handful of points")));
}

TEST(Traps, APointThatSeesOnlyTrapsIsIsolated) {
  const Points pair = (Points(2, 2) << 2.0, 0.0, 3.2, 0.0).finished();
  Rotation with(pair);
  with.drift.row(601) << -10.0, 0.0;  // its step ends between the trap and itself
  const auto map = with.map();
  ASSERT_GE(map.diagnostics().trap_points, 1);
  const Spectrum s = eigenpairs(map, {.count = 4});
  EXPECT_TRUE(s.eigenfunctions.re.allFinite());
  EXPECT_LT(s.left_residuals.maxCoeff(), 1e-9);
  EXPECT_GT(rotation_of(s).imag(), 1.0);
  EXPECT_LT(s.stationary[with.first_outlier], 0.01);
}

TEST(Traps, APointThatSeesATrapAllAroundAPeriodIsIsolated) {
  // Entries of a kernel that reaches around a period many times are larger than 1, and one is as good as many points.
  constexpr Index cluster = 60;
  Points x(cluster + 2, 2);
  x << samples::skewed_ball(cluster, 2, 1.0, 5), 40.0, 0.1, 80.0, 0.1;  // the trap, and a point that leads there
  Points b = Points::Zero(x.rows(), 2);
  b(0, 0) = 40.0 - x(0, 0);
  b(cluster + 1, 0) = -40.0;
  Vector a = Vector::Ones(x.rows());
  a[cluster] = 1e-4;
  const auto map = local_kernel_map(x, b, Diffusion::scalars(a), {.epsilon = 1.0, .kernel = {.period = {0.0, 0.2}}});
  EXPECT_EQ(map.diagnostics().trap_points, 1);
  EXPECT_THAT(map.diagnostics().warnings, Contains(HasSubstr("3 point(s) see nothing but those")));  // itself, too
}

TEST(Traps, WhereMostPointsHoldTheProcessNoneIsEmptied) {
  const Points x = 10.0 * samples::normal(200, 2, 1);
  const auto map =
      local_kernel_map(x, Points::Constant(200, 2, 0.1), Diffusion::constant(0.5), {.epsilon = trap_epsilon});
  EXPECT_EQ(map.diagnostics().trap_points, 0);
}

}  // namespace
}  // namespace itomap
