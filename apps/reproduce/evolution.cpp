#include "reproduce/evolution.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>

namespace itomap::reproduce {
namespace {

// V with V^T G V = I, over the directions in which G is not 0 to rounding.
Matrix whitening(const Matrix& gram) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram);
  const Vector& values = solver.eigenvalues();
  const double least = values.tail(1)[0] * double(gram.rows()) * std::numeric_limits<double>::epsilon();
  const Index kept = Index(std::ranges::count_if(values, [&](double value) { return value > least; }));
  return solver.eigenvectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

std::vector<Index> slowest_first(const Eigen::VectorXcd& mu) {
  std::vector<Index> order(std::size_t(mu.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::ranges::greater{}, [&](Index n) { return std::abs(mu[n]); });
  return order;
}

}  // namespace

StepSums& StepSums::operator+=(const StepSums& more) {
  if (gram.size() == 0) {
    return *this = more;
  }
  gram += more.gram;
  shifted += more.shifted;
  return *this;
}

StepSums step_sums(PointsView starts, PointsView ends) {
  return {starts.transpose() * starts, starts.transpose() * ends};
}

Evolution fit_evolution(const StepSums& sums, Index count) {
  const Matrix white = whitening(sums.gram);
  const Eigen::EigenSolver<Matrix> solver(white.transpose() * sums.shifted * white);
  const Eigen::VectorXcd& mu = solver.eigenvalues();
  const auto order = slowest_first(mu);
  Evolution found{Vector::Zero(count), Matrix::Zero(white.rows(), count)};
  for (Index n = 0; n < std::min(count, mu.size() - 1); ++n) {
    const Index mode = order[std::size_t(n) + 1];
    const double size = std::abs(mu[mode]);
    found.timescales[n] = size > 0 ? 1 / std::abs(std::log(size)) : 0;
    found.coefficients.col(n) = white * solver.eigenvectors().col(mode).real();
  }
  return found;
}

Points plane_polynomials(PointsView points, double reach, Index degree) {
  const auto chebyshev = [&](Index axis) {
    const Vector x = points.col(axis) / reach;
    Matrix values(x.size(), degree + 1);
    values.col(0).setOnes();
    values.col(1) = x;
    for (Index k = 2; k <= degree; ++k) {
      values.col(k) = 2 * x.cwiseProduct(values.col(k - 1)) - values.col(k - 2);
    }
    return values;
  };
  const Matrix in_x = chebyshev(0), in_y = chebyshev(1);
  Points products(points.rows(), (degree + 1) * (degree + 2) / 2);
  Index column = 0;
  for (Index total = 0; total <= degree; ++total) {
    for (Index i = 0; i <= total; ++i) {
      products.col(column++) = in_x.col(i).cwiseProduct(in_y.col(total - i));
    }
  }
  return products;
}

}  // namespace itomap::reproduce
