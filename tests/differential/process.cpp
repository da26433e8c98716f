#include "differential/process.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/dense_algebra.hpp"

namespace itomap::differential {
namespace {

using samples::Random;

Eigen::RowVectorXd centre_of(const Points& points) { return points.colwise().mean(); }

Points centred(const Points& points) { return points.rowwise() - centre_of(points); }

double root_mean_square(const Points& x) {
  const double value = x.norm() / std::sqrt(double(std::max<Index>(x.size(), 1)));
  return value > 0.0 ? value : 1.0;
}

/// Symmetric, eigenvalues between 1 and `condition`.
Matrix random_covariance(Index n, double condition, Random& random) {
  const Matrix q = detail::orthogonal_factor(samples::normal(n, n, random.bits()), n);
  Vector values(n);
  for (double& value : values) {
    value = std::exp(random.uniform(0.0, std::log(condition)));
  }
  const Matrix a = q * values.asDiagonal() * q.transpose();
  return 0.5 * (a + a.transpose());
}

Points positive_numbers(Index rows, Index cols, double condition, Random& random) {
  Points values(rows, cols);
  for (double& value : values.reshaped()) {
    value = std::exp(random.uniform(-0.5, 0.5) * std::log(condition));
  }
  return values;
}

Diffusion random_diffusion(Index m, Index n, double scale, Random& random, std::string& kind) {
  const double condition = random.uniform() < 0.15 ? 1000.0 : 4.0;
  const Index shape = random.below(5);
  kind += fmt::format(", {} A", shape == 0   ? "constant"
                                : shape == 1 ? "matrix"
                                : shape == 2 ? "scalar"
                                : shape == 3 ? "diagonal"
                                             : "full");
  if (condition > 10.0) {
    kind += " (ill-conditioned)";
  }
  switch (shape) {
    case 0:
      return Diffusion::constant(scale);
    case 1:
      return Diffusion::constant_matrix(Points(scale * random_covariance(n, condition, random)));
    case 2:
      return Diffusion::scalars(scale * positive_numbers(m, 1, condition, random).col(0));
    case 3:
      return Diffusion::diagonals(scale * positive_numbers(m, n, condition, random));
    default:
      break;
  }
  Points matrices(m, n * n);
  for (Index i = 0; i < m; ++i) {
    matrices.row(i) = scale * random_covariance(n, condition, random).reshaped<Eigen::RowMajor>().transpose();
  }
  return Diffusion::matrices(matrices);
}

/// Directions of typical length 1.
Points random_directions(const Points& points, Random& random, std::string& kind) {
  const Points x = centred(points);
  const Points unit = x / root_mean_square(x);
  switch (random.below(6)) {
    case 0:
      kind = "pulled";
      return -unit;
    case 1:
      kind = "pushed out";
      return unit;
    case 2: {
      kind = "turning";
      Points turned = Points::Zero(x.rows(), x.cols());
      for (Index a = 0; a + 1 < x.cols(); a += 2) {
        turned.col(a) = -unit.col(a + 1);
        turned.col(a + 1) = unit.col(a);
      }
      return turned;
    }
    case 3:
      kind = "blown away";
      return samples::normal(1, x.cols(), random.bits()).replicate(x.rows(), 1);
    case 4:
      kind = "still";
      return Points::Zero(x.rows(), x.cols());
    default:
      kind = "random drift";
      return samples::normal(x.rows(), x.cols(), random.bits());
  }
}

/// Outlying points within sight of the others whose drift leads still farther out: who comes there stays.
void add_traps(Cloud& cloud, double width, Points& step, Random& random, std::string& kind) {
  const Index count = 1 + random.below(3);
  const Points x = centred(cloud.points);
  for (Index k = 0; k < count; ++k) {
    const Index i = random.below(cloud.points.rows());
    Index farthest = 0;
    x.rowwise().squaredNorm().maxCoeff(&farthest);
    const double r = x.row(farthest).norm();
    const Eigen::RowVectorXd out =
        r > 0.0 ? Eigen::RowVectorXd(x.row(farthest) / r) : Eigen::RowVectorXd(Eigen::RowVectorXd::Unit(x.cols(), 0));
    cloud.points.row(i) = cloud.points.row(farthest) + width * random.uniform(2.0, 8.0) * out;
    step.row(i) = width * random.uniform(0.0, 4.0) * out;
  }
  kind += fmt::format(", {} trap(s)", count);
}

}  // namespace

Target random_target(const Cloud& cloud, Random& random) {
  const Points x = centred(cloud.points);
  const Points unit = x / root_mean_square(x);
  const double steepness = std::exp(random.uniform(-2.0, 6.5));
  const std::string strength = fmt::format(" target of {:.2g} kT", steepness);
  Target target;
  switch (random.below(4)) {
    case 0:
      return {"flat target", Vector::Constant(x.rows(), random.uniform(-1e3, 1e3))};
    case 1:
      return {"sloping" + strength, steepness * unit.col(0)};
    case 2:
      return {"narrow" + strength, -steepness * unit.rowwise().squaredNorm()};
    default:
      return {"rough" + strength, steepness * samples::normal(x.rows(), 1, random.bits()).col(0)};
  }
}

Process random_process(Cloud& cloud, double width, Random& random) {
  std::string kind;
  Points step = random_directions(cloud.points, random, kind);
  // Euler steps from a fraction of the kernel's width to far out of the data.
  const double stride = width * std::exp(random.uniform(-2.0, 2.5));
  step *= stride;
  if (random.uniform() < 0.25) {
    add_traps(cloud, width, step, random, kind);
  }
  const double epsilon = std::exp(random.uniform(-3.0, 3.0));
  const double scale = width * width / epsilon;
  const Index n = cloud.points.cols();
  Process process{kind, step / epsilon, random_diffusion(cloud.points.rows(), n, scale, random, kind)};
  process.kind = kind + fmt::format(", steps of {:.2g} widths", stride / width);
  process.eta = random.uniform() < 0.7 ? 0.0 : scale * random.uniform(0.0, 0.5);
  process.epsilon = epsilon;
  return process;
}

}  // namespace itomap::differential
