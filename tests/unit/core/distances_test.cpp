#include "itomap/core/distances.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity();

Points three() { return (Points(3, 3) << 0, 1, 4, 1, 0, infinite, 4, infinite, 0).finished(); }

/// The row as a list of columns, distances appended.
std::vector<double> row_of(const Distances& d, Index i) {
  std::vector<double> row;
  d.for_row(i, [&](Index j, double distance) {
    row.push_back(double(j));
    row.push_back(distance);
  });
  return row;
}

std::string refusal(const Distances& d) {
  try {
    d.validate_symmetric();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Distances, InfiniteOnesAreNotSeen) {
  const Distances d{PointCloud(three())};
  EXPECT_NO_THROW(d.validate_symmetric());
  EXPECT_EQ(row_of(d, 1), (std::vector<double>{0, 1, 1, 0}));
}

TEST(Distances, AListOfNeighboursIsCompleted) {
  const Distances one_sided = Distances::listed(3, 3, {0, 2, 2, 2}, {2, 1}, {4, 1});
  EXPECT_THAT(refusal(one_sided), HasSubstr("symmetrised()"));
  const Distances both = one_sided.symmetrised();
  EXPECT_EQ(refusal(both), "");
  EXPECT_EQ(row_of(both, 0), (std::vector<double>{0, 0, 1, 1, 2, 4})) << "sorted, with the point itself";
  EXPECT_EQ(row_of(both, 1), (std::vector<double>{0, 1, 1, 0}));
  EXPECT_EQ(row_of(both, 2), (std::vector<double>{0, 4, 2, 0}));
}

TEST(Distances, OfTwoThatDifferByRoundingTheFirstCounts) {
  const Distances d = Distances::listed(2, 2, {0, 1, 2}, {1, 0}, {1.0, 1.00001}).symmetrised();
  EXPECT_EQ(refusal(d), "");
  EXPECT_EQ(row_of(d, 1), (std::vector<double>{0, 1.0, 1, 0}));
}

TEST(Distances, PartsKeepTheOrderAskedFor) {
  const std::vector<Index> some{2, 0};
  const Distances all{PointCloud(three())};
  const Distances list = Distances::listed(3, 3, {0, 3, 5, 7}, {0, 1, 2, 0, 1, 0, 2}, {0, 1, 4, 1, 0, 4, 0});
  for (const Distances& d : {all, list}) {
    EXPECT_EQ(row_of(d.subset(some), 0), (std::vector<double>{0, 0, 1, 4}));
    EXPECT_EQ(row_of(d.columns(some), 1), (std::vector<double>{1, 1})) << "what was infinite or unknown stays so";
  }
}

TEST(Distances, WhatAreNoneIsNamedByRowAndColumn) {
  Points wrong = three();
  wrong(0, 1) = 2.0;
  EXPECT_THAT(refusal(Distances{PointCloud(wrong)}), HasSubstr("2 from point 0 to 1, but 1 back"));
  wrong = three();
  wrong(2, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(Distances{PointCloud(wrong)}), HasSubstr("nan in row 2, column 0"));
  wrong = three();
  wrong(1, 1) = 0.5;
  EXPECT_THAT(refusal(Distances{PointCloud(wrong)}), HasSubstr("0.5 from point 1 to itself"));
  wrong = three();
  wrong(1, 2) = 3.0;
  EXPECT_THAT(refusal(Distances{PointCloud(wrong)}), HasSubstr("3 from point 1 to 2, but inf back"));
  EXPECT_THAT(refusal(Distances{PointCloud(Points(three().topRows(2)))}), HasSubstr("2 x 3"));
}

TEST(Distances, ListsThatAreNoneAreRefused) {
  EXPECT_THROW(Distances::listed(2, 2, {0, 1}, {1}, {1.0}), InvalidArgument) << "a row is missing";
  EXPECT_THROW(Distances::listed(2, 2, {0, 2, 1}, {1}, {1.0}), InvalidArgument) << "bounds go back";
  EXPECT_THROW(Distances::listed(2, 2, {0, 1, 1}, {2}, {1.0}), InvalidArgument) << "no such column";
  EXPECT_THROW(Distances::listed(2, 2, {0, 2, 2}, {1, 1}, {1.0, 2.0}), InvalidArgument) << "twice";
}

}  // namespace
}  // namespace itomap
