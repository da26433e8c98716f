// The innermost loops, both those for any processor and those this one runs, which may be the same.
#include <gtest/gtest.h>

#include <cmath>

#include "core/aligned.hpp"
#include "kernel/pairs/pair_kernels.hpp"
#include "kernel/pairs/quad_kernels.hpp"
#include "support/samples.hpp"

namespace itomap {
using namespace detail;
namespace {

AlignedVector numbers(Index count, double scale, std::uint64_t seed) {
  const Points random = scale * samples::normal(count, 1, seed);
  return {random.data(), random.data() + count};
}

void check_entries(const PairKernels& kernels, int dimension, double scale, double limit) {
  const AlignedVector tile = numbers(dimension * tile_points, scale, 1);
  const AlignedVector centres = numbers(dimension * tile_points, scale, 2);
  AlignedVector k(std::size_t(strip_points * tile_points));
  kernels.entries({centres.data(), dimension, PairMetric::Euclidean, nullptr, nullptr, limit}, tile.data(), k.data());
  for (int r = 0; r < strip_points; ++r) {
    for (int j = 0; j < tile_points; ++j) {
      double u = 0.0;
      for (int a = 0; a < dimension; ++a) {
        u += std::pow(centres[std::size_t(a * tile_points + r)] - tile[std::size_t(a * tile_points + j)], 2);
      }
      const double expected = std::exp2(u <= limit ? -u : -1000.0);
      EXPECT_NEAR(k[std::size_t(r * tile_points + j)] / expected, 1.0, 1e-15 * (1.0 + u));
    }
  }
}

TEST(PairKernels, EntriesArePowersOfTwo) {
  for (const PairKernels* kernels : {&pair_kernels_baseline, &pair_kernels()}) {
    for (const int dimension : {1, 2, 3, 7}) {
      check_entries(*kernels, dimension, 1.0, 25.0);
      check_entries(*kernels, dimension, 30.0, 1000.0);  // many beyond 2^-1000
    }
  }
}

TEST(PairKernels, OneVectorIsTheProductWithTheEntries) {
  for (const PairKernels* kernels : {&pair_kernels_baseline, &pair_kernels()}) {
    const AlignedVector tile = numbers(2 * tile_points, 1.0, 1);
    const AlignedVector centres = numbers(2 * tile_points, 1.0, 2);
    const PairStrip strip{centres.data(), 2, PairMetric::Euclidean, nullptr, nullptr, 1000.0};
    const AlignedVector x_tile = numbers(tile_points, 1.0, 3);
    const AlignedVector x_strip = numbers(strip_points, 1.0, 4);
    AlignedVector k(std::size_t(strip_points * tile_points));
    AlignedVector y_tile(tile_points);
    AlignedVector y_strip(strip_points);
    kernels->entries(strip, tile.data(), k.data());
    kernels->single(strip, tile.data(), x_tile.data(), y_strip.data(), x_strip.data(), y_tile.data());
    const Eigen::Map<const Points> matrix(k.data(), strip_points, tile_points);
    const Vector rows = matrix * Eigen::Map<const Vector>(x_tile.data(), tile_points);
    const Vector columns = matrix.transpose() * Eigen::Map<const Vector>(x_strip.data(), strip_points);
    EXPECT_LT((rows - Eigen::Map<const Vector>(y_strip.data(), strip_points)).norm(), 1e-13);
    EXPECT_LT((columns - Eigen::Map<const Vector>(y_tile.data(), tile_points)).norm(), 1e-13);
  }
}

TEST(QuadKernels, WhatIsKeptMultipliesLikeTheEntries) {
  constexpr double cutoff = 0.5;
  AlignedVector k = numbers(strip_points * tile_points, 1.0, 5);
  std::fill_n(k.begin() + 7, 1, 0.0);
  Points matrix = Eigen::Map<const Points>(k.data() + 4 * tile_points, quad_rows, tile_points);
  matrix = (matrix.array() >= cutoff).select(matrix, 0.0);
  const Index columns_in_use = (matrix.colwise().maxCoeff().array() > 0.0).count();
  for (const QuadKernels* kernels : {&quad_kernels_baseline, &quad_kernels()}) {
    std::vector<unsigned short> columns(tile_points);
    AlignedVector values(std::size_t(quad_rows * tile_points));
    const int kept = kernels->compress(k.data(), 4, cutoff, 0, columns.data(), values.data());
    EXPECT_EQ(kept, columns_in_use);
    const std::vector<float, CacheAligned<float>> singles(values.begin(), values.end());
    const QuadRun runs[] = {{0, 0}, {0, unsigned(kept)}};
    for (const int width : {1, 4, 8, 12}) {
      const AlignedVector x_columns = numbers(tile_points * width, 1.0, 6);
      const AlignedVector x_rows = numbers(quad_rows * width, 1.0, 7);
      const Points rows = matrix * Eigen::Map<const Points>(x_columns.data(), tile_points, width);
      const Points transposed = matrix.transpose() * Eigen::Map<const Points>(x_rows.data(), quad_rows, width);
      for (const bool single : {false, true}) {
        AlignedVector y_rows(std::size_t(quad_rows * width));
        AlignedVector y_columns(std::size_t(tile_points * width));
        const QuadVectors v{width, x_columns.data(), y_rows.data(), x_rows.data(), y_columns.data()};
        if (single) {
          kernels->multiply_single_precision({runs, 1, columns.data(), singles.data()}, v);
        } else {
          kernels->multiply({runs, 1, columns.data(), values.data()}, v);
        }
        const double tolerance = single ? 1e-5 : 1e-13;
        EXPECT_LT((rows - Eigen::Map<const Points>(y_rows.data(), quad_rows, width)).norm(), tolerance);
        EXPECT_LT((transposed - Eigen::Map<const Points>(y_columns.data(), tile_points, width)).norm(), tolerance);
      }
    }
  }
}

}  // namespace
}  // namespace itomap
