// The condensed kernel must be what its header says: A = L R and R L, term by term, whatever the geometry.
#include "kernel/grid/condensed_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "kernel/grid/grid_operator.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

struct Case {
  const char* name;
  Index points;
  int dimension;
  double epsilon;
  bool drift;
  std::vector<double> period;
  std::vector<Index> exact;
  double cutoff = 1e-8;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

KernelGeometry geometry_of(const Case& c) {
  Points x = samples::normal(c.points, c.dimension, 11);
  KernelOptions options;
  options.period = c.period;
  options.cutoff = c.cutoff;
  if (!c.drift) {
    return KernelGeometry::isotropic(x, c.epsilon, options);
  }
  const Points drift = -2.0 * x;
  return KernelGeometry::local(x, drift, Diffusion::constant(1.0), c.epsilon, 0.0, options);
}

double difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff(); }

class CondensedGridTest : public testing::TestWithParam<Case> {
 protected:
  CondensedGridTest() {
    KernelGeometry geometry = geometry_of(GetParam());
    GridLayout layout = grid_layout(geometry);
    kernel = std::make_unique<GridOperator>(std::move(geometry), std::move(layout));
    const Index m = kernel->size();
    right = samples::normal(m, 1, 12).col(0).array().exp();
    left = GetParam().drift ? Vector(samples::normal(m, 1, 13).col(0).array().exp()) : right;
    condensed = kernel->condensed(left, right, GetParam().exact);
  }

  /// diag(left) K diag(right) f and its transpose, exact rows from their own entries.
  Block direct(const Block& f) const {
    Block y(f.rows(), f.cols());
    kernel->apply(right.asDiagonal() * f, y);
    if (!GetParam().exact.empty()) {
      Block rows(Index(GetParam().exact.size()), f.cols());
      kernel->apply_rows(GetParam().exact, right.asDiagonal() * f, rows);
      y(GetParam().exact, Eigen::all) = rows;
    }
    return left.asDiagonal() * y;
  }

  std::unique_ptr<GridOperator> kernel;
  Vector left;
  Vector right;
  std::shared_ptr<const CondensedOperator> condensed;
};

TEST_P(CondensedGridTest, FactorsMultiplyToTheKernel) {
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(kernel->size(), 5, 14);
  EXPECT_LT(difference(condensed->expand(condensed->condense(f)), direct(f)), 1e-12);
}

TEST_P(CondensedGridTest, ProductsAreThoseOfTheFactors) {
  ASSERT_NE(condensed, nullptr);
  const Block u = samples::normal(condensed->size(), 5, 15);
  Block v(u.rows(), u.cols());
  condensed->apply(u, v);
  EXPECT_LT(difference(v, condensed->condense(condensed->expand(u))), 1e-12);
  condensed->apply_transpose(u, v);
  EXPECT_LT(difference(v, condensed->condense_transpose(condensed->expand_transpose(u))), 1e-12);
}

TEST_P(CondensedGridTest, TransposesAreTransposes) {
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(kernel->size(), 3, 16);
  const Block u = samples::normal(condensed->size(), 3, 17);
  EXPECT_LT(difference(f.transpose() * condensed->expand(u), condensed->condense_transpose(f).transpose() * u), 1e-10);
  EXPECT_LT(difference(u.transpose() * condensed->condense(f), condensed->expand_transpose(u).transpose() * f), 1e-10);
}

/// Windows are symmetric: their centres are where the targets are, in units of the kernel's width.
TEST_P(CondensedGridTest, NodesLieWhereTheirPlacesSay) {
  ASSERT_NE(condensed, nullptr);
  if (!GetParam().period.empty()) {
    return;  // on circles, a centre is not on the circle
  }
  const Points places = condensed->places();
  const std::vector<Index> points{5, 100, 1500};  // no exact rows
  Block units = Block::Zero(kernel->size(), Index(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    units(points[k], Index(k)) = 1.0;
  }
  const Block windows = condensed->condense_transpose(units).topRows(places.rows());
  const Block centres = windows.colwise().sum().cwiseInverse().asDiagonal() * (windows.transpose() * places);
  const double shrinks = GetParam().drift ? 1.0 - 2.0 * GetParam().epsilon : 1.0;
  const Points targets = samples::normal(GetParam().points, GetParam().dimension, 11)(points, Eigen::all) * shrinks /
                         std::sqrt(4.0 * GetParam().epsilon);
  for (Index k = 1; k < centres.rows(); ++k) {
    EXPECT_LT((centres.row(k) - centres.row(0) - (targets.row(k) - targets.row(0))).norm(), 1e-2) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, CondensedGridTest,
                         testing::Values(Case{"line", 2000, 1, 0.02, false, {}, {}},
                                         Case{"plane", 20000, 2, 0.1, false, {}, {}},
                                         Case{"space", 80000, 3, 1.0, false, {}, {}, 1e-3},
                                         Case{"drift", 20000, 2, 0.1, true, {}, {}},
                                         Case{"drift_in_a_period", 20000, 2, 0.1, true, {3.0, 0.0}, {}},
                                         Case{"period", 20000, 2, 0.1, false, {3.0, 4.0}, {}},
                                         Case{"exact_rows", 20000, 2, 0.1, true, {}, {3, 4, 17, 19999}}),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Where the form to all digits would be too large, a rough one is there.
TEST(CondensedGrid, IsSmallerIfRough) {
  KernelGeometry geometry = KernelGeometry::isotropic(samples::normal(40000, 3, 11), 0.3, {});
  GridLayout layout = grid_layout(geometry);
  const GridOperator kernel(std::move(geometry), std::move(layout));
  const Vector scaling = samples::normal(40000, 1, 12).col(0).array().exp();
  ASSERT_EQ(kernel.condensed(scaling, scaling, {}), nullptr);
  const auto rough = kernel.roughly_condensed(scaling);
  ASSERT_NE(rough, nullptr);
  const Block f = samples::normal(40000, 3, 14);
  Block product(40000, 3);
  kernel.apply(scaling.asDiagonal() * f, product);
  product = scaling.asDiagonal() * product;
  EXPECT_LT(difference(rough->expand(rough->condense(f)), product), 1e-2);
}

TEST(CondensedGrid, IsLeftToTheProductsWhereTheGridIsFinerThanTheData) {
  KernelGeometry geometry = KernelGeometry::isotropic(samples::normal(3000, 2, 1), 1e-3, {});
  GridLayout layout = grid_layout(geometry);
  const GridOperator kernel(std::move(geometry), std::move(layout));
  const Vector ones = Vector::Ones(3000);
  EXPECT_EQ(kernel.condensed(ones, ones, {}), nullptr);
}

// All points lie at the lowest coordinate of an axis, where the window's place is a matter of rounding: whoever takes
// the next grid point writes beyond the rows that others have laid out.
TEST(CondensedGrid, PointsWithoutExtentAlongAnAxis) {
  Points x = samples::normal(20000, 2, 5);
  for (const double constant : {0.0, 0.1, -7.7}) {
    x.col(1).setConstant(constant);
    for (const double epsilon : {0.02, 0.05, 0.1}) {
      KernelGeometry geometry = KernelGeometry::isotropic(x, epsilon, {});
      GridLayout layout = grid_layout(geometry);
      const GridOperator kernel(std::move(geometry), std::move(layout));
      const Vector ones = Vector::Ones(20000);
      const auto condensed = kernel.condensed(ones, ones, {});
      ASSERT_NE(condensed, nullptr);
      const Block u = samples::normal(condensed->size(), 2, 6);
      Block v(u.rows(), 2);
      condensed->apply(u, v);
      EXPECT_LT(difference(v, condensed->condense(condensed->expand(u))), 1e-12) << constant << ' ' << epsilon;
    }
  }
}

TEST(CondensedGrid, KeepsOutliersApart) {
  Points x = samples::normal(20000, 2, 2);
  x.row(7) << 1e4, 0.0;
  x.row(8) << 1e4, 0.1;
  KernelGeometry geometry = KernelGeometry::isotropic(x, 0.3, {});
  GridLayout layout = grid_layout(geometry);
  const GridOperator kernel(std::move(geometry), std::move(layout));
  const Vector ones = Vector::Ones(20000);
  const auto condensed = kernel.condensed(ones, ones, {});
  ASSERT_NE(condensed, nullptr);
  const Block f = samples::normal(20000, 2, 3);
  Block direct(20000, 2);
  kernel.apply(f, direct);
  EXPECT_LT(difference(condensed->expand(condensed->condense(f)), direct), 1e-12);
  const Block u = samples::normal(condensed->size(), 2, 4);
  Block v(u.rows(), 2);
  condensed->apply(u, v);
  EXPECT_LT(difference(v, condensed->condense(condensed->expand(u))), 1e-12);
}

}  // namespace
}  // namespace itomap
