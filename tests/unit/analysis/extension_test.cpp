#include "itomap/analysis/extension.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "itomap/generator/diffusion_map.hpp"
#include "itomap/generator/local_kernel_map.hpp"
#include "support/samples.hpp"

namespace itomap {
namespace {

class ExtensionTest : public testing::Test {
 protected:
  Points points = samples::normal(300, 2, 1);
  Map map = diffusion_map(points, {.epsilon = 0.3});
  Spectrum spectrum = eigenpairs(map, {.count = 4});
};

TEST_F(ExtensionTest, ReturnsTheEigenfunctionsAtItsOwnPoints) {
  const Extension e = extend(map, spectrum, points);
  EXPECT_LT((e.eigenfunctions.re - spectrum.eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_TRUE(e.outside.empty());
  EXPECT_EQ(e.interpolation_error[0], 0.0);
}

TEST_F(ExtensionTest, NothingIsExtrapolated) {
  Points far(2, 2);
  far << 0.1, 0.2, 1e3, 0.0;
  const Extension e = extend(map, spectrum, far);
  EXPECT_EQ(e.outside, std::vector<Index>{1});
  EXPECT_TRUE(e.eigenfunctions.re.row(0).allFinite());
  EXPECT_TRUE(e.eigenfunctions.re.row(1).array().isNaN().all());
  EXPECT_FALSE(e.warnings.empty());
}

TEST_F(ExtensionTest, RefusesAnotherDimension) {
  EXPECT_THROW(extend(map, spectrum, Points::Zero(3, 3)), InvalidArgument);
}

TEST_F(ExtensionTest, RefusesASpectrumOfAnotherMap) {
  const Map other = diffusion_map(points.topRows(200), {.epsilon = 0.3});
  EXPECT_THROW(extend(other, spectrum, points), InvalidArgument);
}

TEST_F(ExtensionTest, ALocalKernelNeedsTheProcessAtTheNewPoints) {
  const Map local = local_kernel_map(points, -points, Diffusion::constant(1.0), {.epsilon = 0.3});
  const Spectrum s = eigenpairs(local, {.count = 2});
  EXPECT_THROW(extend(local, s, points), InvalidArgument);
  const Extension e = extend(local, s, {.points = points, .drift = -points, .diffusion = Diffusion::constant(1.0)});
  EXPECT_LT((e.eigenfunctions.re - s.eigenfunctions.re).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((e.eigenfunctions.im - s.eigenfunctions.im).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(LeaveOneOut, ErrorsAreThoseOfMapsWithoutThePoint) {
  // psi at point i from all others, directly.
  const Points points = samples::normal(200, 2, 9);
  const Map map = diffusion_map(points, {.epsilon = 0.2});
  const Spectrum s = eigenpairs(map, {.count = 2});
  const Vector psi = s.eigenfunctions.col(1);
  const Block p = map.markov(Block::Identity(200, 200));
  double square = 0.0;
  const double mu = 1.0 + map.epsilon() * s.eigenvalues[1].real();
  for (Index i = 0; i < 200; ++i) {
    const double others = (p.row(i).dot(psi) - p(i, i) * psi[i]) / (1.0 - p(i, i));
    const double miss = std::min(std::abs(others / mu - psi[i]), std::abs(psi[i]));
    square += s.stationary[i] * miss * miss;
  }
  const Extension e = extend(map, s, points);
  EXPECT_NEAR(e.interpolation_error[1], std::sqrt(square), 1e-9);
}

}  // namespace
}  // namespace itomap
