#include "support/random_problem.hpp"

#include <cmath>
#include <numeric>
#include <ostream>
#include <utility>

#include "core/dense_algebra.hpp"
#include "support/samples.hpp"

namespace itomap::samples {
namespace {

/// Symmetric, eigenvalues at least 0.3.
Matrix positive_matrix(Index n, Random& random) {
  Matrix g(n, n);
  for (double& value : g.reshaped()) {
    value = random.normal() / std::sqrt(double(n));
  }
  const Matrix a = g * g.transpose() + 0.3 * Matrix::Identity(n, n);
  return 0.5 * (a + a.transpose());
}

Points positive_numbers(Index rows, Index cols, Random& random) {
  Points values(rows, cols);
  for (double& value : values.reshaped()) {
    value = random.uniform(0.3, 2.0);
  }
  return values;
}

Diffusion random_diffusion(const ProblemShape& shape, Random& random) {
  const Index m = shape.points;
  const Index n = shape.dimension;
  switch (shape.diffusion_kind) {
    case 0:
      return Diffusion::constant(random.uniform(0.3, 2.0));
    case 1:
      return Diffusion::scalars(positive_numbers(m, 1, random).col(0));
    case 2:
      return Diffusion::diagonals(positive_numbers(m, n, random));
    case 3:
      return Diffusion::constant_matrix(positive_matrix(n, random));
    default:
      break;
  }
  Points matrices(m, n * n);
  for (Index i = 0; i < m; ++i) {
    matrices.row(i) = positive_matrix(n, random).reshaped<Eigen::RowMajor>().transpose();
  }
  return Diffusion::matrices(matrices);
}

std::vector<double> random_period(const ProblemShape& shape, Random& random) {
  std::vector<double> period(std::size_t(shape.dimension), 0.0);
  for (Index a = 0; a < shape.dimension; ++a) {
    const double length = random.uniform(1.5, 5.0);
    if ((shape.periodic_axes >> a) % 2 == 1) {
      period[std::size_t(a)] = length;
    }
  }
  return period;
}

Points random_points(const ProblemShape& shape, Random& random) {
  Points points = normal(shape.points, shape.dimension, random.bits());
  if (shape.duplicates) {
    for (Index k = 0; k < 1 + shape.points / 10; ++k) {
      points.row(random.below(shape.points)) = points.row(random.below(shape.points)).eval();
    }
  }
  return points;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ProblemShape& s) {
  return out << s.points << " points in " << s.dimension << "-D, diffusion kind " << s.diffusion_kind
             << ", periodic axes " << s.periodic_axes << (s.duplicates ? ", duplicates" : "") << ", seed " << s.seed;
}

KernelOptions Problem::kernel(Engine engine, double cutoff) const {
  KernelOptions options;
  options.engine = engine;
  options.cutoff = cutoff;
  options.period = period;
  return options;
}

Problem random_problem(const ProblemShape& shape) {
  Random random(shape.seed);
  const Points points = random_points(shape, random);
  const Points drift = normal(shape.points, shape.dimension, random.bits());
  const Diffusion diffusion = random_diffusion(shape, random);
  // Distances between normal points grow with the dimension, and a useful scale with them.
  const double scale = double(shape.dimension);
  return {points,
          drift,
          diffusion,
          3.0 * normal(shape.points, 1, random.bits()).col(0),
          normal(shape.points, 1, random.bits()).col(0),
          random_period(shape, random),
          scale * random.uniform(0.05, 0.5),
          scale * random.uniform(0.05, 0.5),
          random.uniform() < 0.5 ? 0.0 : random.uniform(0.0, 0.5)};
}

Matrix random_rotation(Index dimension, std::uint64_t seed) {
  return detail::orthogonal_factor(normal(dimension, dimension, seed), dimension);
}

std::vector<Index> random_permutation(Index m, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index(0));
  for (Index i = m - 1; i > 0; --i) {
    std::swap(order[i], order[random.below(i + 1)]);
  }
  return order;
}

}  // namespace itomap::samples
