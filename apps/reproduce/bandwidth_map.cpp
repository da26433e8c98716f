#include "reproduce/bandwidth_map.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "itomap/spectrum/spectrum.hpp"

namespace itomap::reproduce {
namespace {

constexpr double cut_off = 1e-8;
constexpr Index krylov_steps = 200;

Matrix kernel(PointsView points, VectorView log_bandwidth, double epsilon) {
  const Vector narrow = (-0.5 * log_bandwidth).array().exp();
  const Vector squares = points.rowwise().squaredNorm();
  Matrix k = -2.0 * points * points.transpose();
  k.colwise() += squares;
  k.rowwise() += squares.transpose();
  k = (narrow.cwiseAbs2().asDiagonal() * k * narrow.cwiseAbs2().asDiagonal()).eval();
  return (-k.array().max(0.0) / (4.0 * epsilon)).exp();
}

std::vector<Index> reached_from(const Matrix& k, Index start, std::vector<bool>& seen) {
  std::vector<Index> part{start};
  seen[std::size_t(start)] = true;
  for (std::size_t done = 0; done < part.size(); ++done) {
    for (Index j = 0; j < k.rows(); ++j) {
      if (!seen[std::size_t(j)] && k(j, part[done]) > cut_off) {
        seen[std::size_t(j)] = true;
        part.push_back(j);
      }
    }
  }
  return part;
}

std::vector<Index> largest_part(const Matrix& k) {
  std::vector<bool> seen(std::size_t(k.rows()), false);
  std::vector<Index> largest;
  for (Index i = 0; i < k.rows(); ++i) {
    if (!seen[std::size_t(i)]) {
      auto part = reached_from(k, i, seen);
      if (part.size() > largest.size()) {
        largest = std::move(part);
      }
    }
  }
  return largest;
}

// -L in symmetric form: M^-1/2 (D - W) M^-1/2 with W = diag(d) K diag(d), D its row sums and M = epsilon rho^2 D.
Matrix symmetric_generator(const Matrix& k, const Vector& rho, double dimension, double epsilon) {
  const Vector weights = rho.array().pow(dimension) / k.rowwise().sum().array();
  Matrix w = weights.asDiagonal() * k * weights.asDiagonal();
  const Vector sums = w.rowwise().sum();
  const Vector scale = (epsilon * rho.array().square() * sums.array()).rsqrt();
  w = -(scale.asDiagonal() * w * scale.asDiagonal()).eval();
  w.diagonal() += scale.cwiseAbs2().cwiseProduct(sums);
  return w;
}

// Ritz pairs of the inverse, which has the slow modes first: Lanczos with full orthogonalisation.
struct Modes {
  Vector rates;
  Matrix functions;  // unit columns: their squares are the |phi psi| of the mode
};

Modes slow_modes(const Matrix& generator, double shift) {
  const Index size = generator.rows(), steps = std::min(krylov_steps, size);
  const Eigen::LLT<Matrix> inverse(generator + shift * Matrix::Identity(size, size));
  Matrix basis(size, steps);
  Matrix projected = Matrix::Zero(steps, steps);
  // any start that no mode is orthogonal to
  Vector next = Vector::LinSpaced(size, 1.0, double(size)).array().sin();
  for (Index n = 0; n < steps; ++n) {
    basis.col(n) = next.normalized();
    next = inverse.solve(basis.col(n));
    for (int pass = 0; pass < 2; ++pass) {
      const Vector parts = basis.leftCols(n + 1).transpose() * next;
      projected.col(n).head(n + 1) += parts;
      next -= basis.leftCols(n + 1) * parts;
    }
    if (n + 1 < steps) {
      projected(n + 1, n) = next.norm();
    }
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(projected.selfadjointView<Eigen::Upper>()));
  return {solver.eigenvalues().reverse().cwiseInverse().array() - shift,
          basis * solver.eigenvectors().rowwise().reverse()};
}

bool on_a_handful(const Matrix& functions, Index n) {
  const double points = 1.0 / functions.col(n).array().square().square().sum();
  return 1.0 / std::sqrt(points) > EigenpairsOptions{}.spurious_error;
}

}  // namespace

Vector bandwidth_timescales(PointsView points, VectorView log_bandwidth, double epsilon, Index count) {
  Matrix k = kernel(points, log_bandwidth, epsilon);
  const auto part = largest_part(k);
  k = Matrix(k(part, part));
  const Vector rho = log_bandwidth(part).array().exp();
  const Matrix generator = symmetric_generator(k, rho, double(points.cols()), epsilon);
  const Modes modes = slow_modes(generator, 1e-6 / epsilon);  // far slower than a step
  Vector found = Vector::Constant(count, std::numeric_limits<double>::quiet_NaN());
  Index mode = 1;  // after the constant, the slowest of all
  for (Index n = 0; n < count; ++n) {
    while (mode < modes.rates.size() && on_a_handful(modes.functions, mode)) {
      ++mode;
    }
    if (mode < modes.rates.size()) {
      found[n] = 1.0 / modes.rates[mode++];
    }
  }
  return found;
}

}  // namespace itomap::reproduce
