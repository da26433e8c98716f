#include "kernel/grid/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/context.hpp"

namespace itomap::test {
using namespace detail;
namespace {

using Complex = std::complex<double>;
using Factors = std::array<std::vector<double>, 3>;

// Grids of one, two and three dimensions with margins, some with fewer lines than are transformed together.
std::vector<GridShape> shapes() {
  return {{1, {30, 1, 1}, {37, 1, 1}, {3, 0, 0}, 2},
          {2, {12, 50, 1}, {12, 50, 1}, {0, 0, 0}, 2},
          {2, {6, 10, 1}, {9, 13, 1}, {1, 2, 0}, 1},
          {3, {4, 6, 10}, {5, 6, 13}, {1, 0, 2}, 2}};
}

Factors random_factors(const GridShape& shape, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  Factors factors;
  for (int a = 0; a < shape.dimension; ++a) {
    for (Index i = 0; i < shape.size[a]; ++i) {
      factors[a].push_back(uniform(engine));
    }
  }
  return factors;
}

// The filter along one axis, from its definition: y_j = sum_k factor_k sum_l x_l exp(2 pi i k (j - l) / n).
void filter_axis(std::vector<Complex>& grid, const GridShape& shape, int axis, const std::vector<double>& factors) {
  const Index n = shape.size[axis], stored = shape.stored[axis];
  Index stride = shape.interleaved;
  for (int a = shape.dimension - 1; a > axis; --a) {
    stride *= shape.stored[a];
  }
  for (Index start = 0; start < shape.total(); ++start) {
    if (start / stride % stored != 0) {
      continue;  // not the first number of a line
    }
    Complex* line = grid.data() + start + shape.offset[axis] * stride;
    std::vector<Complex> filtered(std::size_t(n), 0.0);
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        for (Index l = 0; l < n; ++l) {
          const double turn = double(k * (n + j - l) % n) / double(n);
          filtered[j] += factors[k] * std::polar(1.0, 2.0 * std::numbers::pi * turn) * line[l * stride];
        }
      }
    }
    for (Index j = 0; j < n; ++j) {
      line[j * stride] = filtered[j];
    }
  }
}

// Zero outside of the box that takes part, as the margins are when a grid is filtered.
FourierFilter::Buffer random_grid(const FourierFilter& filter, const GridShape& shape, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  auto grid = filter.zeros();
  for (Index at = 0; at < shape.total(); ++at) {
    bool inside = true;
    Index rest = at / shape.interleaved;
    for (int a = shape.dimension - 1; a >= 0; --a) {
      const Index i = rest % shape.stored[a] - shape.offset[a];
      inside = inside && i >= 0 && i < shape.size[a];
      rest /= shape.stored[a];
    }
    if (inside) {
      grid[std::size_t(at)] = {normal(engine), normal(engine)};
    }
  }
  return grid;
}

TEST(FourierFilter, IsWhatItsDefinitionSays) {
  std::mt19937 engine(1);
  for (const GridShape& shape : shapes()) {
    const Factors factors = random_factors(shape, engine);
    const FourierFilter filter(shape, factors);
    const auto grid = random_grid(filter, shape, engine);
    std::vector<Complex> expected(grid.get(), grid.get() + shape.total());
    for (int a = 0; a < shape.dimension; ++a) {
      filter_axis(expected, shape, a, factors[a]);
    }
    filter.apply(grid.get());
    double size = 0.0, error = 0.0;
    for (Index at = 0; at < shape.total(); ++at) {
      size = std::max(size, std::abs(expected[at]));
      error = std::max(error, std::abs(grid[std::size_t(at)] - expected[at]));
    }
    EXPECT_LT(error, 1e-14 * size) << shape.dimension << " dimensions, " << shape.size[0];
  }
}

TEST(FourierFilter, SameBitsForAnyNumberOfThreads) {
  std::mt19937 engine(2);
  for (const GridShape& shape : shapes()) {
    const Factors factors = random_factors(shape, engine);
    const FourierFilter filter(shape, factors);
    const auto grid = random_grid(filter, shape, engine);
    const auto copy = filter.zeros();
    std::copy_n(grid.get(), shape.total(), copy.get());
    for (const auto& [threads, values] : {std::pair(1, grid.get()), std::pair(3, copy.get())}) {
      const Execution execution{.threads = threads};
      const ExecutionScope scope(execution);
      filter.apply(values);
    }
    EXPECT_TRUE(std::equal(grid.get(), grid.get() + shape.total(), copy.get()));
  }
}

TEST(FourierFilter, FastSizesAreEvenAndSmooth) {
  EXPECT_EQ(fast_size(1), 2);
  EXPECT_EQ(fast_size(14), 16);
  EXPECT_EQ(fast_size(17), 18);
  EXPECT_EQ(fast_size(1025), 1080);
}

}  // namespace
}  // namespace itomap::test
