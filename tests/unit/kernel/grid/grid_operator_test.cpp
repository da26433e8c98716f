#include "kernel/grid/grid_operator.hpp"

#include <gtest/gtest.h>

#include "kernel/grid/cell_graph.hpp"
#include "kernel/pairs/dense_operator.hpp"
#include "kernel/pairs/sparse_operator.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

GridOperator grid_operator(KernelGeometry geometry) {
  GridLayout layout = grid_layout(geometry);
  return {std::move(geometry), std::move(layout)};
}

TEST(GridOperator, FarOutliersDoNotStretchTheGrid) {
  Points x = samples::normal(2000, 2, 1);
  x.row(7) << 1e7, -3.0;
  x.row(8) << 1e7, -3.01;
  const auto grid = grid_operator(KernelGeometry::isotropic(x, 0.01, {}));
  EXPECT_LT(grid.memory(), 10U << 20U);
  const DenseOperator dense(KernelGeometry::isotropic(x, 0.01, {}));
  const Block f = samples::normal(2000, 2, 2);
  Block fast(2000, 2);
  Block slow(2000, 2);
  grid.apply(f, fast);
  dense.apply(f, slow);
  EXPECT_LT((fast - slow).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(std::abs(fast(7, 0) - f(7, 0)), 0.1) << "the two outliers see each other";
}

TEST(GridOperator, RowSumsAreRightRelativeToEachRow) {
  Points x = samples::normal(3000, 2, 3);
  Points drift = Points::Zero(3000, 2);
  drift.row(5) << 60.0, 0.0;   // an Euler step out of the data
  drift.row(6) << 500.0, 0.0;  // and far out of it
  const auto geometry = [&] { return KernelGeometry::local(x, drift, Diffusion::constant(0.5), 0.1, 0.0, {}); };
  const auto grid = grid_operator(geometry());
  const SparseOperator sparse(geometry(), {});
  const Vector ratio = grid.row_sums().cwiseQuotient(sparse.row_sums());
  EXPECT_LT((ratio.array() - 1.0).abs().maxCoeff(), 1e-4);
}

TEST(GridOperator, IsAsGoodFarFromTheOrigin) {
  const Points x = (samples::normal(2000, 2, 4) * 0x1p10).array().round() * 0x1p-10;
  const Points far = x.array() + 0x1p42;  // exact
  const Points drift = -x;
  const auto sums = [&](const Points& points) {
    const auto a = Diffusion::constant(0.5);
    return grid_operator(KernelGeometry::local(points, drift, a, 0.1, 0.0, {})).row_sums();
  };
  EXPECT_LT((sums(far) - sums(x)).cwiseQuotient(sums(x)).cwiseAbs().maxCoeff(), 1e-5);
}

/// Random clusters, some touching, some not, and lonely points.
Points clusters(Index m, Index dimension, std::uint64_t seed) {
  Points x = 0.15 * samples::normal(m, dimension, seed);
  const Points centres = (dimension == 1 ? 3.0 : 1.2) * samples::normal(12, dimension, seed + 100);
  for (Index i = 0; i < m; ++i) {
    x.row(i) += centres.row(i % 12);
  }
  x.topRows(5) = 4.0 * samples::normal(5, dimension, seed + 200);
  return x;
}

class CellGraph : public testing::TestWithParam<std::tuple<int, bool, int>> {};

TEST_P(CellGraph, IsTheGraphOfAllEntries) {
  const auto [dimension, local, seed] = GetParam();
  const Points x = clusters(600, dimension, std::uint64_t(seed));
  const Points drift = local ? Points(3.0 * samples::normal(600, dimension, 50)) : Points::Zero(600, dimension);
  KernelOptions options;
  options.period = std::vector<double>(std::size_t(dimension), 0.0);
  options.period[0] = seed % 2 == 0 ? 0.0 : 4.0;
  const auto geometry = local ? KernelGeometry::local(x, drift, Diffusion::constant(0.4), 0.003, 0.0, options)
                              : KernelGeometry::isotropic(x, 0.001, options);
  const KernelGraph quick = cell_graph(geometry);
  const KernelGraph full = SparseOperator(geometry, options).graph();
  EXPECT_EQ(quick.components, full.components);
  EXPECT_EQ(quick.component, full.component);
  EXPECT_EQ(quick.isolated, full.isolated);
  EXPECT_EQ(quick.stranded, full.stranded);
  EXPECT_GT(full.components, dimension == 1 && seed % 2 == 1 ? 0 : 1) << "several components, but for a full circle";
}

INSTANTIATE_TEST_SUITE_P(All, CellGraph,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool(), testing::Values(1, 2, 3, 4)));

}  // namespace
}  // namespace itomap
