#include "itomap/kernel/bandwidth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

using testing::HasSubstr;

TEST(Bandwidth, ItsGeometricMeanIsOne) {
  const Points x = samples::normal(300, 2, 1);
  const Vector rho = variable_bandwidth(x, x, {.strength = 0.7});
  EXPECT_NEAR(rho.array().log().mean(), 0.0, 1e-12);
  EXPECT_GT(rho.maxCoeff(), 2.0);
  EXPECT_LT(rho.minCoeff(), 0.9);
}

TEST(Bandwidth, StrengthIsAnExponent) {
  const Points x = samples::normal(300, 2, 1);
  const Vector half = variable_bandwidth(x, x, {.strength = 0.5});
  const Vector whole = variable_bandwidth(x, x, {.strength = 1.0});
  EXPECT_LT((half.array().square() - whole.array()).abs().maxCoeff(), 1e-12);
}

TEST(Bandwidth, IsOneFunctionAtPointsAndElsewhere) {
  const Points x = samples::normal(300, 2, 1);
  const Points some = x.middleRows(40, 20);
  const Vector rho = variable_bandwidth(x, x, {.strength = 0.5});
  EXPECT_EQ(variable_bandwidth(x, some, {.strength = 0.5}), rho.segment(40, 20));
}

TEST(Bandwidth, DoesNotDependOnUnits) {
  const Points x = samples::normal(300, 3, 2);
  const Points millimetres = 1000.0 * x;
  const Vector rho = variable_bandwidth(x, x, {.strength = 0.5});
  EXPECT_LT((variable_bandwidth(millimetres, millimetres, {.strength = 0.5}) - rho).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Bandwidth, RefusesPointsThatAllCoincide) {
  Points x = samples::normal(40, 2, 3);
  x.middleRows(10, 12).rowwise() = Eigen::RowVector2d(1.0, 2.0);
  EXPECT_THAT([&] { variable_bandwidth(x, x, {.strength = 0.5, .neighbours = 9}); },
              testing::ThrowsMessage<InvalidArgument>(HasSubstr("point 10 coincides with its 9 nearest points")));
}

TEST(Bandwidth, RefusesWhatIsOutOfRange) {
  const auto refuses = [](const VariableBandwidth& bandwidth, const char* what) {
    EXPECT_THAT([&] { bandwidth.validate(100, 3); }, testing::ThrowsMessage<InvalidArgument>(HasSubstr(what)));
  };
  refuses({.strength = -0.1}, "strength of -0.1");
  refuses({.strength = 1.5}, "strength of 1.5");
  refuses({.strength = double(NAN)}, "strength of nan");
  refuses({.strength = 0.5, .neighbours = 1}, "1 neighbours of 100 points");
  refuses({.strength = 0.5, .neighbours = 101}, "101 neighbours");
  refuses({.strength = 0.5, .dimension = 4}, "4 dimensions");
}

}  // namespace
}  // namespace itomap
