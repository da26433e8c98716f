#include "itomap/core/point_cloud.hpp"

#include <gtest/gtest.h>

namespace itomap {
namespace {

Points three_points() { return (Points(3, 2) << 1, 2, 3, 4, 5, 6).finished(); }

TEST(PointCloud, CopiesAMatrixAndTakesOverATemporary) {
  Points points = three_points();
  const PointCloud copied = points;
  EXPECT_NE(copied.view().data(), points.data());
  const double* const memory = points.data();
  const PointCloud taken = std::move(points);
  EXPECT_EQ(taken.view().data(), memory);
  EXPECT_EQ(Points(taken.view()), three_points());
}

TEST(PointCloud, TakesExpressionsOfAnyOrder) {
  const Matrix columns = three_points();
  const PointCloud cloud = 2.0 * columns;
  EXPECT_EQ(Points(cloud.view()), Points(2.0 * three_points()));
}

TEST(PointCloud, CopiesShareTheirMemory) {
  const PointCloud cloud = three_points();
  const PointCloud copy = cloud;
  EXPECT_EQ(copy.view().data(), cloud.view().data());
}

TEST(PointCloud, KeepsMemoryOfSomebodyElseAlive) {
  auto owner = std::make_shared<Points>(three_points());
  const std::weak_ptr<Points> watched = owner;
  {
    const PointCloud cloud({owner, owner->data()}, 3, 2);
    owner.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(cloud.view()(2, 1), 6.0);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(PointCloud, SubsetsAreCopies) {
  const PointCloud part = PointCloud(three_points()).subset({2, 0});
  EXPECT_EQ(part.rows(), 2);
  EXPECT_EQ(Points(part.view()), (Points(2, 2) << 5, 6, 1, 2).finished());
}

}  // namespace
}  // namespace itomap
