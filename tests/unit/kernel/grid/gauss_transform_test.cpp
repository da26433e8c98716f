#include "kernel/grid/gauss_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernel/grid/gauss_window.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

std::vector<std::int32_t> numbers(Index m) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(m));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

WhitenedBox box_of(const Points& z, std::vector<double> period = {}) {
  return {z.colwise().minCoeff(), z.colwise().maxCoeff(), std::move(period)};
}

/// exp(-|t_i - s_j|^2), summed over all images.
Matrix direct_kernel(const Points& t, const Points& s, const std::vector<double>& period) {
  Matrix k = Matrix::Ones(t.rows(), s.rows());
  for (Index a = 0; a < t.cols(); ++a) {
    const double p = period.empty() ? 0.0 : period[std::size_t(a)];
    for (Index i = 0; i < t.rows(); ++i) {
      for (Index j = 0; j < s.rows(); ++j) {
        double sum = 0.0;
        for (int image = p > 0.0 ? -8 : 0; image <= (p > 0.0 ? 8 : 0); ++image) {
          sum += std::exp(-std::pow(t(i, a) - s(j, a) + image * p, 2));
        }
        k(i, j) *= sum;
      }
    }
  }
  return k;
}

class Accuracy : public testing::TestWithParam<std::tuple<int, double>> {};

TEST_P(Accuracy, EveryKernelValueIsAsGoodAsAsked) {
  const auto [dimension, accuracy] = GetParam();
  const Points z = 4.0 * samples::normal(60, dimension, 3);
  const GaussGrid grid = GaussGrid::cheapest(box_of(z), z.rows(), accuracy);
  const auto cloud = std::make_shared<const SlabCloud>(z, numbers(z.rows()), grid);
  const GaussTransform transform(grid, cloud, cloud);
  Block k(60, 60);
  transform.apply(Block::Identity(60, 60), k);
  const Matrix error = k - direct_kernel(z, z, {});
  EXPECT_LT(error.cwiseAbs().maxCoeff(), accuracy);
  EXPECT_GT(error.cwiseAbs().maxCoeff(), 1e-4 * accuracy) << "far better than asked: the window is too wide";
  EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(All, Accuracy, testing::Combine(testing::Values(1, 2, 3), testing::Values(1e-4, 1e-8, 1e-11)));

TEST(GaussGrid, WindowsOfTheOutermostPointsAreOnTheGrid) {
  for (const double low : {0.0, 0.1, -1.0 / 3.0, 1e3, -1e9}) {
    const WhitenedBox box{Vector::Constant(1, low), Vector::Constant(1, low + 5.0), {}};
    const GaussGrid grid = GaussGrid::cheapest(box, 100, 1e-8);
    for (const double z : {box.low[0], box.high[0]}) {
      const WindowPlace place = grid.place(0, z);
      EXPECT_GE(place.first, 0);
      EXPECT_LE(place.first + grid.width(), grid.shape().stored[0]);
      EXPECT_LE(std::abs(place.offset), 1.0 + 1e-12 * std::max(1.0, std::abs(low)));
    }
  }
}

TEST(GaussTransform, SumsOverImagesOfAPeriod) {
  const std::vector<double> period{3.0, 0.0};
  Points z = samples::normal(80, 2, 4);
  z.col(0) = z.col(0).unaryExpr([&](double x) { return x - 3.0 * std::floor(x / 3.0); });
  const GaussGrid grid = GaussGrid::cheapest(box_of(z, period), z.rows(), 1e-9);
  const auto cloud = std::make_shared<const SlabCloud>(z, numbers(80), grid);
  const GaussTransform transform(grid, cloud, cloud);
  const Block x = samples::normal(80, 3, 5);
  Block y(80, 3);
  transform.apply(x, y);
  EXPECT_LT((y - direct_kernel(z, z, period) * x).cwiseAbs().maxCoeff(), 80 * 1e-9);
}

TEST(GaussTransform, TransposeIsTheTranspose) {
  const Points s = samples::normal(300, 2, 6);
  const Points t = s + 0.3 * samples::normal(300, 2, 7);
  Points all(600, 2);
  all << s, t;
  const GaussGrid grid = GaussGrid::cheapest(box_of(all), 300, 1e-8);
  const GaussTransform transform(grid, std::make_shared<const SlabCloud>(s, numbers(300), grid),
                                 std::make_shared<const SlabCloud>(t, numbers(300), grid));
  const Block x = samples::normal(300, 2, 8);
  const Block w = samples::normal(300, 2, 9);
  Block kx(300, 2);
  Block kw(300, 2);
  transform.apply(x, kx);
  transform.apply_transpose(w, kw);
  const Matrix difference = w.transpose() * kx - kw.transpose() * x;
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-10);
}

TEST(GaussWindow, FinerGridsForNarrowerWindows) {
  double before = 0.0;
  for (int width = 8; width <= GaussWindow::widest; ++width) {
    const GaussWindow window(width, 1e-8);
    EXPECT_GT(window.spacing(), before);
    EXPECT_LE(window.error(window.spacing()), 1e-8);
    before = window.spacing();
  }
  EXPECT_EQ(GaussWindow(3, 1e-8).spacing(), 0.0) << "too narrow for any grid";
}

}  // namespace
}  // namespace itomap
