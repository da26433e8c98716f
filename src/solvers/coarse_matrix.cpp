#include "solvers/coarse_matrix.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

#include "core/dense_algebra.hpp"
#include "core/random.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// T^(2^k), in which no more than about `modes` are left of all: Krylov spaces of it find them in a few steps.
Matrix slow_power(const Matrix& t, Index modes) {
  constexpr int most_squarings = 10;
  Matrix power = t;
  for (int squaring = 0; squaring < most_squarings && power.trace() > double(modes); ++squaring) {
    power = (power * power).eval();
  }
  return power;
}

/// Of the series for shifts other than sigma.
constexpr int terms = 4;

/// An orthonormal basis of a block Krylov space.
Block krylov_space(const Matrix& power, Index columns) {
  constexpr Index block = 8;
  Block basis(power.rows(), 0);
  Block next = random_block(power.rows(), block, 1);
  while (basis.cols() < columns) {
    normalise_columns(next);
    for (int again = 0; again < 2; ++again) {
      project_out(basis, next);
      std::vector<Index> dependent;
      orthonormalise(next, breakdown, dependent);
      if (!dependent.empty()) {
        return basis;
      }
    }
    basis = joined(basis, next);
    next = power * next;
  }
  return basis;
}

/// Ritz pairs in a space that holds the leading eigenvectors, roughly.
struct LeadingPairs {
  Block basis;
  ProjectedPairs ritz;

  /// Orthonormal, spans the first `count` of them.
  Matrix space(Index count) const { return basis * ritz.leading_basis(count); }
};

LeadingPairs leading_pairs(const Matrix& t, const Matrix& power, Index count) {
  LeadingPairs pairs{krylov_space(power, std::min(4 * count, t.rows() / 2)), {}};
  pairs.ritz = projected_pairs(inner(pairs.basis, t * pairs.basis), false);
  return pairs;
}

/// Combinations of real columns that shifts belong to.
template <class Body>
void for_vectors(const Shifts& shifts, const Body& body) {
  for (Index c = 0; c < Index(shifts.size()); ++c) {
    const bool pair = shifts[std::size_t(c)].imag() > 0.0;
    body(c, pair);
    c += pair ? 1 : 0;
  }
}

ComplexVector taken(const Matrix& m, Index c, bool pair) {
  ComplexVector x = m.col(c).cast<std::complex<double>>();
  if (pair) {
    x.imag() = m.col(c + 1);
  }
  return x;
}

void put(const ComplexVector& x, Index c, bool pair, Matrix& m) {
  m.col(c) = x.real();
  if (pair) {
    m.col(c + 1) = x.imag();
  }
}

}  // namespace

std::optional<CoarseMatrix> CoarseMatrix::build(Matrix t, Index leading, Index wanted) {
  CoarseMatrix result;
  const Matrix power = slow_power(t, 2 * leading);
  const LeadingPairs right = leading_pairs(t, power, leading);
  const LeadingPairs left = leading_pairs(t.transpose(), power.transpose(), leading);
  leading = std::min({leading, right.basis.cols() - 1, left.basis.cols() - 1});
  while (leading > wanted && !result.set_spaces(right.space(leading), left.space(leading))) {
    --leading;
  }
  if (leading <= wanted) {
    return std::nullopt;
  }
  result.g_ = result.z_.transpose() * t * result.y_;
  result.sigma_ = projected_pairs(result.g_, false).values[wanted / 2].real();
  // The leading values moved to 0.
  t -= result.y_ * (result.g_ * result.z_.transpose());
  t.diagonal().array() -= result.sigma_;
  result.inverse_ = t.partialPivLu().inverse();
  return result.inverse_.allFinite() ? std::optional(std::move(result)) : std::nullopt;
}

/// False where they do not fit together: one has cut a conjugate pair, or they belong to different values.
bool CoarseMatrix::set_spaces(Matrix right, Matrix left) {
  if (right.cols() != left.cols()) {
    return false;
  }
  const Matrix inverse_gram = inverted(left.transpose() * right);
  constexpr double ill_conditioned = 1e3;
  if (!(inverse_gram.norm() < ill_conditioned)) {
    return false;
  }
  z_ = left * inverse_gram.transpose();
  y_ = std::move(right);
  left_ = std::move(left);
  return true;
}

Matrix CoarseMatrix::solved(const Matrix& c, const Shifts& shifts, bool transposed) const {
  const Matrix& y = transposed ? z_ : y_;
  const Matrix& z = transposed ? y_ : z_;
  const Matrix& g = g_;
  const Matrix slow = z.transpose() * c;
  const Matrix rest = c - y * slow;
  std::vector<Matrix> powers{rest};  // S^k rest
  for (int k = 0; k < terms; ++k) {
    powers.push_back(transposed ? Matrix(inverse_.transpose() * powers.back()) : Matrix(inverse_ * powers.back()));
  }
  Matrix slow_solved(slow.rows(), slow.cols());
  Matrix result(c.rows(), c.cols());
  for_vectors(shifts, [&](Index k, bool pair) {
    const std::complex<double> theta = shifts[std::size_t(k)];
    ComplexMatrix shifted = (transposed ? Matrix(g.transpose()) : g).cast<std::complex<double>>();
    shifted.diagonal().array() -= theta;
    put(shifted.partialPivLu().solve(taken(slow, k, pair)), k, pair, slow_solved);
    ComplexVector sum = taken(powers.back(), k, pair);
    for (int term = terms - 1; term > 0; --term) {
      sum = taken(powers[std::size_t(term)], k, pair) + (theta - sigma_) * sum;
    }
    put(sum, k, pair, result);
  });
  return result + y * slow_solved;
}

}  // namespace itomap::detail
