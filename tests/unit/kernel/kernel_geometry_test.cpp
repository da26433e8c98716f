#include "kernel/kernel_geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"
#include "support/reference.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Row of the caller's point `point`, as a dense vector in the caller's order.
Vector dense_row(const KernelGeometry& geometry, Index point, double* log_scale = nullptr) {
  Vector dense = Vector::Zero(geometry.size());
  for (Index i = 0; i < geometry.size(); ++i) {
    if (geometry.order()[i] == point) {
      KernelRow row;
      geometry.row(i, row);
      for (std::size_t k = 0; k < row.columns.size(); ++k) {
        dense[geometry.order()[row.columns[k]]] = row.values[k];
      }
      if (log_scale != nullptr) {
        *log_scale = row.log_scale;
      }
    }
  }
  return dense;
}

TEST(KernelGeometry, RowsAreTheKernelAboveTheCutoff) {
  const Points x = samples::normal(300, 3, 1);
  const Matrix exact = reference::log_isotropic_kernel(x, 0.1).array().exp();
  const auto geometry = KernelGeometry::isotropic(x, 0.1, {.cutoff = 1e-4});
  for (const Index i : {0, 17, 299}) {
    const Vector row = dense_row(geometry, i);
    for (Index j = 0; j < 300; ++j) {
      EXPECT_NEAR(row[j], exact(i, j) >= 1e-4 ? exact(i, j) : 0.0, 1e-14);
    }
  }
}

TEST(KernelGeometry, WideKernelOnAShortPeriodIsTheWrappedGaussian) {
  // Width 2 sqrt(epsilon) = 2 periods: many images contribute to every entry.
  Points x(5, 1);
  x << 0.1, 0.9, 2.3, -0.4, 0.1;
  const KernelOptions options{.cutoff = 1e-14, .period = {1.0}};
  const auto geometry = KernelGeometry::isotropic(x, 1.0, options);
  const Vector row = dense_row(geometry, 0);
  for (Index j = 0; j < 5; ++j) {
    double sum = 0.0;
    for (int n = -60; n <= 60; ++n) {
      sum += std::exp(-0.25 * std::pow(x(0, 0) - x(j, 0) + n, 2));
    }
    EXPECT_NEAR(row[j], sum, 1e-10);
  }
}

TEST(KernelGeometry, PeriodicPointsAreFoldedFromAnywhere) {
  const Points x = samples::normal(50, 2, 4);
  Points moved = x;
  moved.col(0).array() += 7.0 * 3.0;
  const KernelOptions options{.period = {3.0, 0.0}};
  const auto here = KernelGeometry::isotropic(x, 0.02, options);
  const auto there = KernelGeometry::isotropic(moved, 0.02, options);
  EXPECT_LT((dense_row(here, 11) - dense_row(there, 11)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(KernelGeometry, StrandedRowKeepsItsShapeInsteadOfUnderflowing) {
  Points x(4, 1);
  x << 0.0, 0.1, 0.2, 0.3;
  Points b = Points::Zero(4, 1);
  b(2, 0) = 1e4;  // the Euler step lands at 100
  const auto geometry = KernelGeometry::local(x, b, Diffusion::constant(1.0), 0.01, 0.0, {});
  double log_scale = 0.0;
  const Vector row = dense_row(geometry, 2, &log_scale);
  const auto u = [&](Index j) { return std::pow(100.2 - x(j, 0), 2) / 0.04; };
  EXPECT_NEAR(log_scale, u(3), 1e-6 * u(3));
  EXPECT_DOUBLE_EQ(row[3], 1.0);
  EXPECT_NEAR(row[2], std::exp(u(3) - u(2)), 1e-12);
}

TEST(KernelGeometry, RefusesAPeriodInOtherUnits) {
  const Points x = samples::normal(10, 2, 2);
  EXPECT_THROW(KernelGeometry::isotropic(x, 0.1, {.period = {1e-9, 0.0}}), InvalidArgument);
}

TEST(KernelGeometry, RefusesADriftBeyondAllNumbers) {
  const Points x = samples::normal(4, 1, 2);
  const auto geometry = KernelGeometry::local(x, Points::Constant(4, 1, 1e300), Diffusion::constant(1.0), 1e5, 0.0, {});
  KernelRow row;
  EXPECT_THROW(geometry.row(0, row), InvalidArgument);
}

}  // namespace
}  // namespace itomap
