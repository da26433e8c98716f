#include "differential/dense_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_algebra.hpp"
#include "generator/generator.hpp"

namespace itomap::differential {
using namespace detail;
namespace {

Matrix kernel_matrix(const Map& map) {
  Block k(map.size(), map.size());
  generator_of(map).kernel->apply(Block::Identity(map.size(), map.size()), k);
  return k;
}

Vector symmetric_scaling(const Map& map) {
  const Generator& g = generator_of(map);
  const Vector scaling = g.right_weights.cwiseSqrt().cwiseQuotient(g.row_sums.cwiseSqrt());
  return g.pace.size() > 0 ? Vector(scaling.cwiseProduct(g.pace.cwiseSqrt())) : scaling;
}

/// S as products give it: on a grid not symmetric to the last digit.
Matrix symmetric_form(const Map& map) {
  const Vector scaling = symmetric_scaling(map);
  Matrix s = scaling.asDiagonal() * kernel_matrix(map) * scaling.asDiagonal();
  if (const Vector& pace = generator_of(map).pace; pace.size() > 0) {
    s.diagonal().array() += 1.0 - pace.array();
  }
  return s;
}

std::vector<std::vector<Index>> members_of(const Map& map) {
  const Vector& pace = generator_of(map).pace;
  std::vector<std::vector<Index>> members(std::size_t(map.diagnostics().components));
  for (Index i = 0; i < map.size(); ++i) {
    if (pace.size() == 0 || pace[i] > 0.0) {
      members[std::size_t(map.component()[std::size_t(i)])].push_back(i);
    }
  }
  std::erase_if(members, [](const auto& points) { return points.empty(); });
  return members;
}

double norm_between(const Matrix& matrix, const std::vector<Index>& component) {
  double square = 0.0;
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      if (component[std::size_t(i)] != component[std::size_t(j)]) {
        square += matrix(i, j) * matrix(i, j);
      }
    }
  }
  return std::sqrt(square);
}

/// Of P, which is S scaled by the roots of phi_0.
double largest_leak(const Map& map, const Matrix& matrix) {
  const Vector root = map.reversible() ? stationary_root(map) : Vector(Vector::Ones(map.size()));
  double largest = 0.0;
  for (Index i = 0; i < matrix.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (map.component()[std::size_t(i)] != map.component()[std::size_t(j)]) {
        sum += std::abs(matrix(i, j)) * (root[j] / root[i]);
      }
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

void add_symmetric_modes(const Matrix& s, Index component, DenseModes& dense) {
  const SymmetricEigen pairs = symmetric_pairs(s);
  Index zero = 0;
  (pairs.values.array() - 1.0).abs().minCoeff(&zero);
  for (Index n = 0; n < s.rows(); ++n) {
    DenseMode mode;
    mode.mu = pairs.values[n];
    mode.component = component;
    mode.zero = n == zero;
    mode.weights = pairs.vectors.col(n).cwiseAbs2();
    mode.weights /= mode.weights.sum();
    dense.modes.push_back(mode);
  }
}

void add_general_modes(const Matrix& p, Index component, DenseModes& dense) {
  const GeneralEigen pairs = general_pairs(p);
  const ComplexMatrix& psi = pairs.vectors;
  const ComplexMatrix phi = solved(psi, ComplexMatrix::Identity(p.rows(), p.cols())).transpose();
  const ComplexMatrix product = phi.transpose() * psi;
  Index zero = 0;
  (pairs.values.array() - 1.0).abs().minCoeff(&zero);
  for (Index n = 0; n < p.rows(); ++n) {
    DenseMode mode;
    mode.mu = pairs.values[n];
    mode.component = component;
    mode.zero = n == zero;
    mode.condition = phi.col(n).norm() * psi.col(n).norm();
    // Vectors of a defective matrix have no inverse, whatever an algorithm makes of them.
    const bool inverse = std::abs(product(n, n) - 1.0) < 1e-3;
    const bool finite = std::isfinite(mode.condition) && inverse;
    mode.condition = finite ? mode.condition : std::numeric_limits<double>::infinity();
    if (finite) {
      mode.left_weights = phi.col(n).cwiseAbs();
      mode.weights = mode.left_weights.cwiseProduct(psi.col(n).cwiseAbs());
      mode.left_weights /= mode.left_weights.sum();
      mode.weights /= mode.weights.sum();
    }
    dense.modes.push_back(mode);
  }
}

}  // namespace

double effective_points(const Vector& weights) { return weights.sum() * weights.sum() / weights.squaredNorm(); }

Vector stationary_root(const Map& map) {
  const Generator& g = generator_of(map);
  Vector root = g.right_weights.cwiseSqrt().cwiseProduct(g.row_sums.cwiseSqrt());
  if (g.pace.size() > 0) {
    root = root.cwiseQuotient(g.pace.cwiseSqrt());
  }
  return root / root.norm();
}

DenseModes dense_modes(const Map& map) {
  DenseModes dense;
  const Matrix products =
      map.reversible() ? symmetric_form(map) : Matrix(map.markov(Block::Identity(map.size(), map.size())));
  dense.matrix = map.reversible() ? Matrix(0.5 * (products + products.transpose())) : products;
  dense.members = members_of(map);
  dense.between = norm_between(dense.matrix, map.component());
  dense.leak = largest_leak(map, dense.matrix);
  const Vector one = map.reversible() ? stationary_root(map) : Vector(Vector::Ones(map.size()));
  dense.defect = (dense.matrix * one - one).norm() / one.norm();
  const Matrix transposed =
      map.reversible() ? products : Matrix(map.markov_transpose(Block::Identity(map.size(), map.size())));
  dense.sides = (transposed.transpose() - products).norm();
  dense.negative = dense.matrix.cwiseMin(0.0).norm();
  // Backward stable: a modest multiple of the unit roundoff times the norm.
  dense.rounding = 32.0 * std::numeric_limits<double>::epsilon() * std::sqrt(double(map.size())) * dense.matrix.norm();
  for (std::size_t c = 0; c < dense.members.size(); ++c) {
    const Matrix part = dense.matrix(dense.members[c], dense.members[c]);
    if (map.reversible()) {
      add_symmetric_modes(part, Index(c), dense);
    } else {
      add_general_modes(part, Index(c), dense);
    }
  }
  std::stable_sort(dense.modes.begin(), dense.modes.end(),
                   [](const DenseMode& a, const DenseMode& b) { return a.mu.real() > b.mu.real(); });
  return dense;
}

}  // namespace itomap::differential
