#include "kernel/images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernel/kernel_geometry.hpp"
#include "kernel/pairs/dense_operator.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// sum_n exp(-q (d + n P)^2), one by one.
double wrapped(double d, double q, double period) {
  const int images = int(std::ceil(8.0 / (std::sqrt(q) * period))) + 2;
  double sum = 0.0;
  for (int n = -images; n <= images; ++n) {
    sum += std::exp(-q * std::pow(d + n * period, 2));
  }
  return sum;
}

TEST(Images, FactorsMakeTheWrappedGaussianAtAnyWidth) {
  // Narrow and wide in one call: half of them by images, half by the Fourier series.
  constexpr double period = 3.0;
  std::vector<double> d;
  std::vector<double> q;
  std::vector<double> values;
  for (const double width : {1e-4, 0.2, 0.5, 0.56, 0.57, 1.0, 20.0, 1e3}) {
    for (const double share : {-0.5, -0.31, 0.0, 0.2, 0.5}) {
      d.push_back(share * period);
      q.push_back(std::pow(width * period, -2));
      values.push_back(std::exp(-q.back() * d.back() * d.back()));
    }
  }
  multiply_images(d.data(), q.data(), period, Index(d.size()), values.data());
  for (std::size_t j = 0; j < d.size(); ++j) {
    EXPECT_NEAR(values[j], wrapped(d[j], q[j], period), 1e-14 * (1.0 + values[j])) << d[j] << ' ' << q[j];
  }
}

/// Rows of a periodic kernel, also by the dense engine, against products over the axes of sums over images.
struct Torus {
  Points points;
  std::vector<double> period;
  double epsilon;

  Torus(Index m, std::vector<double> lengths, double scale)
      : points(samples::normal(m, Index(lengths.size()), 21)), period(std::move(lengths)), epsilon(scale) {}

  /// q_a of row i in column j
  void compare(const KernelGeometry& geometry, const auto& q) const {
    KernelRow row;
    std::vector<double> values(std::size_t(points.rows()));
    for (const Index k : {0, 3, 11}) {
      const Index i = geometry.order()[std::size_t(k)];
      geometry.row(k, row);
      geometry.wrapped_entries(k, 0.0, 0, points.rows(), values.data());
      for (std::size_t e = 0; e < row.columns.size(); ++e) {
        const Index j = geometry.order()[std::size_t(row.columns[e])];
        double exact = 1.0;
        for (Index a = 0; a < points.cols(); ++a) {
          const double d = points(i, a) - points(j, a);
          const double p = period[std::size_t(a)];
          exact *= p > 0.0 ? wrapped(std::remainder(d, p), q(i, j, a), p) : std::exp(-q(i, j, a) * d * d);
        }
        EXPECT_NEAR(row.values[e], exact, 1e-7 * std::max(1.0, exact));
        EXPECT_NEAR(values[std::size_t(row.columns[e])], exact, 1e-12 * std::max(1.0, exact));
      }
    }
  }

  KernelOptions options() const { return {.period = period}; }
};

TEST(Images, IsotropicKernelsOfAnyWidth) {
  for (const double epsilon : {0.002, 0.03, 0.3, 10.0}) {
    const Torus torus(150, {2.0, 3.0, 0.0}, epsilon);
    torus.compare(KernelGeometry::isotropic(torus.points, epsilon, torus.options()),
                  [&](Index, Index, Index) { return 0.25 / epsilon; });
  }
}

TEST(Images, OneAxisIsShortTheOtherLong) {
  const Torus torus(400, {0.1, 50.0}, 0.02);
  torus.compare(KernelGeometry::isotropic(torus.points, 0.02, torus.options()),
                [&](Index, Index, Index) { return 0.25 / 0.02; });
}

TEST(Images, MetricsAlongTheAxes) {
  const Torus torus(150, {2.0, 3.0}, 0.2);
  const Points a = samples::normal(150, 2, 22).array().exp();
  torus.compare(
      KernelGeometry::local(torus.points, Points::Zero(150, 2), Diffusion::diagonals(a), 0.2, 0.0, torus.options()),
      [&](Index i, Index, Index axis) { return 0.25 / (0.2 * a(i, axis)); });
}

TEST(Images, VariableBandwidths) {
  const Torus torus(150, {2.0, 3.0}, 0.2);
  const Vector rho = samples::normal(150, 1, 23).col(0).array().exp();
  torus.compare(KernelGeometry::variable(torus.points, rho, 0.2, torus.options()),
                [&](Index i, Index j, Index) { return (std::pow(rho[i], -2) + std::pow(rho[j], -2)) / (8.0 * 0.2); });
}

TEST(Images, TwelveAnglesAreNoMoreThanTwelveSums) {
  // 5^12 images of every row: neither refused nor waited for.
  const Torus torus(60, std::vector<double>(12, 2.0), 0.2);
  torus.compare(KernelGeometry::isotropic(torus.points, 0.2, torus.options()),
                [&](Index, Index, Index) { return 0.25 / 0.2; });
}

}  // namespace
}  // namespace itomap
