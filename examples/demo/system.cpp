#include "system.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace demo {

using itomap::Index;
using itomap::Points;
using itomap::Vector;

namespace {

constexpr double time_step = 0.03;
constexpr Index thinning = 100;
// Outside this square one forward Euler step from a rare far point would throw the chain to infinity.
constexpr double box = 1.9;

double well(double x) { return (x * x - 1.0) * (x * x - 1.0); }

double well_slope(double x) { return 4.0 * x * (x * x - 1.0); }

// The generator f'' - beta V' f' on [-2, 2] as a symmetric tridiagonal matrix in the basis u = f exp(-beta V / 2):
// only differences of V are exponentiated, so nothing underflows.
struct Line {
  Vector x;
  Eigen::SelfAdjointEigenSolver<itomap::Matrix> solver;
};

Line solve_line(Index cells) {
  const double h = 4.0 / static_cast<double>(cells);
  const Vector x = Vector::LinSpaced(cells, -2.0 + h / 2, 2.0 - h / 2);
  Vector diagonal = Vector::Zero(cells);
  Vector off(cells - 1);
  for (Index i = 0; i + 1 < cells; ++i) {
    const double face = well(x(i) + h / 2);
    diagonal(i) -= std::exp(-beta * (face - well(x(i)))) / (h * h);
    diagonal(i + 1) -= std::exp(-beta * (face - well(x(i + 1)))) / (h * h);
    off(i) = std::exp(-beta * (face - (well(x(i)) + well(x(i + 1))) / 2)) / (h * h);
  }
  Line line{x, {}};
  line.solver.computeFromTridiagonal(diagonal, off);
  return line;
}

// Along y the process is Ornstein-Uhlenbeck with rates 0, -2 beta, -4 beta, ...; rates of the plane are all sums.
Vector separable_timescales(const Vector& rates_x, Index count) {
  std::vector<double> rates;
  for (Index i = 0; i <= count; ++i)
    for (Index j = 0; j <= count; ++j) rates.push_back(rates_x(i) - 2.0 * beta * static_cast<double>(j));
  std::sort(rates.begin(), rates.end(), std::greater<>());
  return -Eigen::Map<const Vector>(rates.data() + 1, count).cwiseInverse();
}

}  // namespace

Vector potential(itomap::PointsView points) { return points.col(0).unaryExpr(&well) + points.col(1).cwiseAbs2(); }

Points potential_gradient(itomap::PointsView points) {
  Points gradient(points.rows(), 2);
  gradient << points.col(0).unaryExpr(&well_slope), 2.0 * points.col(1);
  return gradient;
}

Points biased_sample(Index m, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> noise(0.0, std::sqrt(2.0 * time_step));
  Points points(m, 2);
  double x = -1.0, y = 0.0;
  for (Index step = 0; step < m * thinning; ++step) {
    const double next_x = x - time_step * beta * well_slope(x) + noise(generator);
    const double next_y = y - time_step * beta * 2.0 * y + noise(generator);
    if (std::max(std::abs(next_x), std::abs(next_y)) < box) {
      x = next_x;
      y = next_y;
    }
    points.row(step / thinning) << x, y;
  }
  return points;
}

Exact exact_solution(Index count) {
  constexpr Index cells = 600;
  const Line line = solve_line(cells);
  const Vector rates = line.solver.eigenvalues().reverse();
  const Vector root_pi = (-beta / 2 * line.x.unaryExpr(&well)).array().exp();
  Vector psi = line.solver.eigenvectors().col(cells - 2).cwiseQuotient(root_pi) * root_pi.norm();
  if (psi(cells - 1) < 0.0) psi = -psi;
  return {separable_timescales(rates, count), line.x, psi};
}

}  // namespace demo
