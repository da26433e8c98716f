#include "kernel/subset_operator.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernel/grid/grid_operator.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

std::shared_ptr<const KernelOperator> grid_kernel(Index points) {
  KernelGeometry geometry = KernelGeometry::isotropic(samples::normal(points, 2, 21), 0.1, {});
  GridLayout layout = grid_layout(geometry);
  return std::make_shared<const GridOperator>(std::move(geometry), std::move(layout));
}

std::vector<Index> every_third_left_out(Index points) {
  std::vector<Index> rows;
  for (Index i = 0; i < points; ++i) {
    if (i % 3 != 1) {
      rows.push_back(i);
    }
  }
  return rows;
}

TEST(SubsetOperator, ItsCondensedFormIsThatOfItsPoints) {
  const SubsetOperator part(grid_kernel(15000), every_third_left_out(15000));
  const Vector left = samples::normal(part.size(), 1, 22).col(0).array().exp();
  const Vector right = samples::normal(part.size(), 1, 23).col(0).array().exp();
  const auto condensed = part.condensed(left, right, {});
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(part.size(), 3, 24);
  Block product(part.size(), 3);
  part.apply(right.asDiagonal() * f, product);
  product = left.asDiagonal() * product;
  const Block u = condensed->condense(f);
  EXPECT_LT((condensed->expand(u) - product).cwiseAbs().maxCoeff(), 1e-10 * product.cwiseAbs().maxCoeff());
  Block v(u.rows(), u.cols());
  condensed->apply(u, v);
  EXPECT_LT((v - condensed->condense(product)).cwiseAbs().maxCoeff(), 1e-10 * v.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace itomap
