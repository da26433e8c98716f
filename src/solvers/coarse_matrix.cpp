#include "solvers/coarse_matrix.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <utility>

#include "core/dense_algebra.hpp"
#include "core/random.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// Of the series for shifts other than sigma.
constexpr int terms = 2;
/// Its ratio must be less: farther shifts take S as it is.
constexpr double largest_ratio = 0.7;

/// An orthonormal basis of a block Krylov space of `step`.
template <class Step>
Block krylov_space(Index size, Index columns, const Step& step) {
  constexpr Index block = 8;
  Block basis(size, 0);
  Block next = random_block(size, block, 1);
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
    next = step(next);
  }
  return basis;
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

/// Ritz pairs in a space that holds the leading eigenvectors, roughly.
struct CoarseMatrix::LeadingPairs {
  Block basis;
  ProjectedPairs ritz;

  /// Orthonormal, spans the first `count` of them.
  Matrix space(Index count) const { return basis * ritz.leading_basis(count); }

  /// How near those beyond the first `count` come to sigma.
  double nearest_beyond(Index count) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index n = count; n < ritz.values.size(); ++n) {
      nearest = std::min(nearest, std::abs(ritz.values[n] - coarse_shift));
    }
    return nearest;
  }
};

/// Values next to 1 are the leading ones of S M: a Krylov space finds them in a few steps. None where the masses are so
/// small that M^-1 T is beyond numbers.
CoarseMatrix::LeadingPairs CoarseMatrix::leading_pairs(Index count, bool transposed) const {
  const auto step = [&](const Block& x) { return Block(shifted_solved(mass_ * x, transposed)); };
  LeadingPairs pairs{krylov_space(t_.rows(), std::min(2 * count, t_.rows() / 2), step), {}};
  const Matrix image = transposed ? Matrix(t_.transpose() * pairs.basis) : Matrix(t_ * pairs.basis);
  const Matrix h = inner(pairs.basis, Block(mass_solved(image)));
  if (!h.allFinite()) {
    return {Block(t_.rows(), 0), {}};
  }
  pairs.ritz = projected_pairs(h, false);
  return pairs;
}

std::optional<CoarseMatrix> CoarseMatrix::build(const SparseMatrix& t, const SparseMatrix& mass, Index leading,
                                                Index wanted) {
  CoarseMatrix result;
  result.t_ = t;
  result.mass_ = mass;
  if (!result.set_factors()) {
    return std::nullopt;
  }
  const LeadingPairs right = result.leading_pairs(leading, false);
  const LeadingPairs left = result.leading_pairs(leading, true);
  leading = std::min({leading, right.basis.cols() - 1, left.basis.cols() - 1});
  while (leading > wanted && !result.set_spaces(right.space(leading), left.space(leading))) {
    --leading;
  }
  if (leading <= wanted) {
    return std::nullopt;
  }
  result.values_ = right.ritz.values.head(leading);
  result.nearest_rest_ = right.nearest_beyond(leading);
  return result;
}

bool CoarseMatrix::set_factors() {
  const SparseMatrix shifted = t_ - coarse_shift * mass_;
  mass_factor_ = SparseFactor::positive(mass_);
  factor_ = SparseFactor::general(shifted);
  transposed_factor_ = SparseFactor::general(shifted.transpose());
  return mass_factor_ && factor_ && transposed_factor_;
}

/// False where they do not fit together: one has cut a conjugate pair, or they belong to different values.
bool CoarseMatrix::set_spaces(Matrix right, Matrix left) {
  if (right.cols() != left.cols()) {
    return false;
  }
  const Matrix gram = left.transpose() * (mass_ * right);
  const Matrix inverse_gram = inverted(gram);
  constexpr double ill_conditioned = 1e3;
  if (!(inverse_gram.norm() * gram.norm() < ill_conditioned * double(gram.rows()))) {
    return false;
  }
  z_ = left * inverse_gram.transpose();
  y_ = std::move(right);
  left_ = std::move(left);
  g_ = z_.transpose() * (t_ * y_);
  return true;
}

Matrix CoarseMatrix::slow_solved(const Matrix& c, const Shifts& shifts, bool transposed) const {
  const Matrix slow = (transposed ? y_ : z_).transpose() * c;
  const ComplexMatrix g = (transposed ? Matrix(g_.transpose()) : g_).cast<std::complex<double>>();
  Matrix solved(slow.rows(), slow.cols());
  for_vectors(shifts, [&](Index k, bool pair) {
    ComplexMatrix shifted = g;
    shifted.diagonal().array() -= shifts[std::size_t(k)];
    put(shifted.partialPivLu().solve(taken(slow, k, pair)), k, pair, solved);
  });
  return (transposed ? z_ : y_) * solved;
}

Matrix CoarseMatrix::solved(const Matrix& c, const Shifts& shifts, bool transposed) const {
  const Matrix& y = transposed ? z_ : y_;
  const Matrix& z = transposed ? y_ : z_;
  std::vector<Matrix> powers;  // S (M S)^k c without its slow part
  for (int k = 0; k < terms; ++k) {
    const Matrix from = k == 0 ? Matrix(c - mass_ * (y * (z.transpose() * c))) : Matrix(mass_ * powers.back());
    Matrix next = shifted_solved(from, transposed);
    next -= y * (z.transpose() * (mass_ * next));  // what rounding and rough vectors have left of it
    powers.push_back(std::move(next));
  }
  Matrix result = slow_solved(c, shifts, transposed);
  for_vectors(shifts, [&](Index k, bool pair) {
    const std::complex<double> away = shifts[std::size_t(k)] - coarse_shift;
    const bool converges = std::abs(away) < largest_ratio * nearest_rest_;
    ComplexVector sum = taken(powers[converges ? terms - 1 : 0], k, pair);
    for (int term = terms - 1; converges && term > 0; --term) {
      sum = taken(powers[std::size_t(term - 1)], k, pair) + away * sum;
    }
    put(sum + taken(result, k, pair), k, pair, result);
  });
  return result;
}

}  // namespace itomap::detail
