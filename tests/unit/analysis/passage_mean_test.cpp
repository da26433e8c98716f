#include "analysis/passage_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace itomap {
using namespace detail;
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

PassageMean mean_of(const Vector& weights, const Vector& times) {
  std::vector<Index> set;
  for (Index i = 0; i < times.size(); ++i) {
    set.push_back(i);
  }
  return mean_passage({"source", "sink"}, set, weights, times, 2.0);
}

TEST(PassageMean, IsWeighted) {
  const PassageMean mean = mean_of((Vector(2) << 1.0, 3.0).finished(), (Vector(2) << 4.0, 8.0).finished());
  EXPECT_DOUBLE_EQ(mean.time, 7.0);
  EXPECT_EQ(mean.stuck, 0);
  EXPECT_TRUE(mean.warnings.empty());
}

// A weight of 0 does not make an infinite time harmless: 0 times infinity is no number.
TEST(PassageMean, LeavesOutWhoCannotArriveWhateverTheirWeight) {
  for (const double weight : {0.0, 1.0, 100.0}) {
    const PassageMean mean = mean_of((Vector(3) << 1.0, weight, 1.0).finished(), (Vector(3) << 1, never, 3).finished());
    EXPECT_DOUBLE_EQ(mean.time, 2.0);
    EXPECT_EQ(mean.stuck, 1);
    ASSERT_EQ(mean.warnings.size(), 1U);
    EXPECT_NE(mean.warnings[0].find("source: from 1 of 3 points the sink cannot be reached"), std::string::npos);
  }
}

TEST(PassageMean, IsInfiniteWhereNobodyArrives) {
  const PassageMean mean = mean_of(Vector::Ones(2), Vector::Constant(2, never));
  EXPECT_EQ(mean.time, never);
  EXPECT_EQ(mean.stuck, 2);
}

TEST(PassageMean, NeedsWeight) {
  const PassageMean mean = mean_of(Vector::Zero(2), Vector::Ones(2));
  EXPECT_TRUE(std::isnan(mean.time));
  EXPECT_EQ(mean.warnings.size(), 1U);
}

TEST(PassageMean, SaysThatAFewPointsMakeIt) {
  Vector times = Vector::LinSpaced(100, 0.5, 2.0);
  EXPECT_TRUE(mean_of(Vector::Ones(100), times).warnings.empty());
  times[7] = 1e4;
  const PassageMean mean = mean_of(Vector::Ones(100), times);
  EXPECT_NEAR(mean.time, 101.0, 1.0);
  ASSERT_EQ(mean.warnings.size(), 1U);
  EXPECT_NE(mean.warnings[0].find("1 of 100 points of the source, with 1 % of its weight"), std::string::npos)
      << mean.warnings[0];
}

}  // namespace
}  // namespace itomap
