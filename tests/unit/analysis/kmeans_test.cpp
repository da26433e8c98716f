#include "itomap/analysis/kmeans.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "itomap/core/error.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

/// The sum that k-means minimises, for given labels.
double cost(const Points& x, const Vector& w, const std::vector<Index>& labels, Index sets) {
  double sum = 0.0;
  for (Index k = 0; k < sets; ++k) {
    double weight = 0.0;
    Eigen::RowVectorXd centre = Eigen::RowVectorXd::Zero(x.cols());
    for (Index i = 0; i < x.rows(); ++i) {
      if (labels[i] != k) {
        continue;
      }
      weight += w[i];
      centre += w[i] * x.row(i);
    }
    for (Index i = 0; i < x.rows(); ++i) {
      if (labels[i] == k) {
        sum += w[i] * (x.row(i) - centre / weight).squaredNorm();
      }
    }
  }
  return sum;
}

/// The smallest sum over all sets^m labellings.
double brute_force(const Points& x, const Vector& w, Index sets) {
  std::vector<Index> labels(std::size_t(x.rows()), 0);
  double best = std::numeric_limits<double>::infinity();
  for (;;) {
    const std::set<Index> used(labels.begin(), labels.end());
    if (Index(used.size()) == sets) {
      best = std::min(best, cost(x, w, labels, sets));
    }
    std::size_t digit = 0;
    while (digit < labels.size() && ++labels[digit] == sets) {
      labels[digit++] = 0;
    }
    if (digit == labels.size()) {
      return best;
    }
  }
}

Vector random_weights(Index m, std::uint64_t seed) { return samples::normal(m, 1, seed).col(0).cwiseAbs(); }

class KmeansSeeds : public testing::TestWithParam<std::uint64_t> {};

// Ten points have few local minima: many starts find the best of them.
TEST_P(KmeansSeeds, FindsTheBestOfAllLabellings) {
  const Points x = samples::normal(10, 2, GetParam());
  const Vector w = random_weights(10, GetParam() + 100);
  for (const Index sets : {2, 3}) {
    const auto found = kmeans(x, w, {.sets = sets, .restarts = 300, .seed = GetParam()});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.inertia, cost(x, w, found.labels, sets), 1e-12);
    EXPECT_NEAR(found.inertia, brute_force(x, w, sets), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, KmeansSeeds, testing::Values(1, 2, 3, 4, 5, 6));

/// Groups of 500, 3000 and 1500 points, in this order, far apart.
Points three_groups() {
  Points x = samples::normal(5000, 3, 7);
  x.middleRows(500, 3000).array() += 20.0;
  x.bottomRows(1500).col(0).array() -= 30.0;
  return x;
}

TEST(Kmeans, NumbersGroupsByWeightWhateverTheStart) {
  const Points x = three_groups();
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto found = kmeans(x, Vector(), {.sets = 3, .seed = seed});
    for (Index i = 0; i < 5000; ++i) {
      ASSERT_EQ(found.labels[i], i < 500 ? 2 : i < 3500 ? 0 : 1) << i;
    }
    EXPECT_LT((found.centres.row(0) - x.middleRows(500, 3000).colwise().mean()).norm(), 1e-10);
  }
}

TEST(Kmeans, HasTheSameBitsForAnyNumberOfThreads) {
  const Points x = samples::normal(9000, 2, 3);
  const Vector w = random_weights(9000, 4);
  const auto one = kmeans(x, w, {.sets = 6, .restarts = 2, .seed = 5, .execution = {.threads = 1}});
  const auto four = kmeans(x, w, {.sets = 6, .restarts = 2, .seed = 5, .execution = {.threads = 4}});
  EXPECT_EQ(one.labels, four.labels);
  EXPECT_EQ(one.inertia, four.inertia);
  EXPECT_EQ(one.centres, four.centres);
}

// Without weights the far group is too large to share a centre; with them it does not count.
TEST(Kmeans, PointsWithoutWeightDoNotMoveCentres) {
  Points x(30, 1);
  for (Index i = 0; i < 30; ++i) {
    x(i, 0) = i < 10 ? 0.1 * double(i) : i < 20 ? 5.0 + 0.1 * double(i) : 1000.0;
  }
  Vector w = Vector::Ones(30);
  w.tail(10).setZero();
  const auto found = kmeans(x, w, {.sets = 2});
  EXPECT_NE(found.labels[0], found.labels[10]);
  EXPECT_EQ(found.labels[25], found.labels[10]) << "the nearest centre";
  EXPECT_LT(found.centres.maxCoeff(), 10.0);
  EXPECT_EQ(kmeans(x, Vector(), {.sets = 2}).labels[10], kmeans(x, Vector(), {.sets = 2}).labels[0]);
}

TEST(Kmeans, EveryPointItsOwnGroup) {
  const Points x = samples::normal(6, 2, 1);
  const auto found = kmeans(x, Vector(), {.sets = 6});
  EXPECT_EQ(found.inertia, 0.0);
  EXPECT_EQ(std::set<Index>(found.labels.begin(), found.labels.end()).size(), 6U);
}

TEST(Kmeans, RefusesWhatHasNoAnswer) {
  const Points x = samples::normal(6, 2, 1);
  EXPECT_THROW(kmeans(x, Vector(), {.sets = 7}), InvalidArgument);
  EXPECT_THROW(kmeans(x, Vector(), {.sets = 0}), InvalidArgument);
  EXPECT_THROW(kmeans(x, Vector::Ones(5), {.sets = 2}), InvalidArgument);
  EXPECT_THROW(kmeans(x, -Vector::Ones(6), {.sets = 2}), InvalidArgument);
  EXPECT_THROW(kmeans(Points::Ones(6, 2), Vector(), {.sets = 2}), InvalidArgument) << "all points coincide";
}

}  // namespace
}  // namespace itomap
