#include "solvers/coarse_davidson.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/dense_algebra.hpp"
#include "solvers/coarse_space.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/search_space.hpp"

namespace itomap::detail {
namespace {

/// More pairs than wanted stay in the space: the gap that counts is that behind them.
Index kept_pairs(Index wanted) { return wanted + std::max<Index>(5, wanted / 2); }

/// Steps after which the residuals must have come down by a factor of ten, or the coarse space is no help.
constexpr Index patience = 12;

/// Ritz pairs in real columns: the second of a conjugate pair holds the imaginary part.
struct RealPairs {
  Matrix q;      // coefficients
  Matrix theta;  // A V q = V q theta, where they are exact
  Shifts shifts;

  Index count() const { return q.cols(); }
};

RealPairs real_pairs(const ProjectedPairs& ritz, Index count) {
  RealPairs pairs;
  pairs.q.resize(ritz.vectors.rows(), count);
  pairs.theta = Matrix::Zero(count, count);
  for (Index n = 0; n < count; ++n) {
    const std::complex<double> value = ritz.values[n];
    const bool second = value.imag() < 0.0;
    pairs.q.col(n) = second ? Vector(ritz.vectors.col(n - 1).imag()) : Vector(ritz.vectors.col(n).real());
    pairs.theta(n, n) = value.real();
    if (second) {
      pairs.theta(n, n - 1) = value.imag();
      pairs.theta(n - 1, n) = -value.imag();
    }
    pairs.shifts.push_back(value);
  }
  return pairs;
}

/// Norms of complex residuals, the same for both of a pair.
Vector residual_norms(const Block& r, const Shifts& shifts) {
  Vector norms = column_norms(r);
  for (Index n = 0; n < norms.size(); ++n) {
    if (shifts[std::size_t(n)].imag() > 0.0) {
      norms[n] = norms[n + 1] = std::hypot(norms[n], norms[n + 1]);
      ++n;
    }
  }
  return norms;
}

std::complex<double> complex_inner(const Matrix& gram, Index n, bool pair) {
  return pair ? std::complex<double>(gram(n, n) + gram(n + 1, n + 1), gram(n, n + 1) - gram(n + 1, n))
              : std::complex<double>(gram(n, n), 0.0);
}

/// Olsen's corrections of the pairs u with residuals r.
Block corrections(const LinearOperator& a, const Block& u, const Block& r, const Shifts& shifts) {
  Block t = a.coarse->solved(r, shifts, a.transposed);
  const Block s = a.coarse->slow_solved(u, shifts, a.transposed);
  const Matrix of_t = inner(u, t);
  const Matrix of_s = inner(u, s);
  Matrix alpha = Matrix::Zero(u.cols(), u.cols());
  for (Index n = 0; n < u.cols(); ++n) {
    const bool pair = shifts[std::size_t(n)].imag() > 0.0;
    const std::complex<double> along = complex_inner(of_s, n, pair);
    const std::complex<double> factor = along != 0.0 ? complex_inner(of_t, n, pair) / along : 0.0;
    alpha(n, n) = factor.real();
    if (pair) {
      alpha(n + 1, n + 1) = factor.real();
      alpha(n + 1, n) = -factor.imag();
      alpha(n, n + 1) = factor.imag();
      ++n;
    }
  }
  subtract_product(s, alpha, t);
  return t;
}

std::vector<Index> open_pairs(const Vector& norms, double tolerance) {
  std::vector<Index> open;
  for (Index n = 0; n < norms.size(); ++n) {
    if (!(norms[n] <= tolerance)) {
      open.push_back(n);
    }
  }
  return open;
}

Shifts chosen(const Shifts& shifts, const std::vector<Index>& which) {
  Shifts result;
  for (const Index n : which) {
    result.push_back(shifts[std::size_t(n)]);
  }
  return result;
}

/// The leading Ritz vectors and those of the step before, from which conjugate gradients would take their direction.
Matrix kept(const ProjectedPairs& ritz, Index leading, const Matrix& before) {
  const Matrix first = ritz.leading_basis(leading);
  Matrix q = Matrix::Zero(first.rows(), first.cols() + before.cols());
  q.leftCols(first.cols()) = first;
  q.block(0, first.cols(), before.rows(), before.cols()) = before;
  return orthogonal_factor(q, q.cols());
}

/// Whether residuals come down as fast as they must.
class Pace {
 public:
  bool too_slow(double residual) {
    history_.push_back(residual);
    const auto steps = Index(history_.size());
    return steps > patience && !(residual < 0.1 * history_[std::size_t(steps - 1 - patience)]);
  }

 private:
  std::vector<double> history_;
};

Block start_block(const LinearOperator& a, const KrylovOptions& options, Index locked) {
  const Block coarse = a.coarse->leading(kept_pairs(options.wanted) + locked, a.transposed);
  return options.start.cols() > 0 ? joined(options.start, coarse) : coarse;
}

}  // namespace

Index coarse_basis_size(Index wanted) { return 6 * kept_pairs(wanted); }

KrylovResult coarse_davidson(const LinearOperator& a, PointsView locked, const KrylovOptions& options) {
  const Block start = start_block(a, options, locked.cols());
  SearchSpace space(a, locked, std::max(coarse_basis_size(options.wanted), start.cols() + options.wanted + 2),
                    options.seed);
  space.extend(start);
  Matrix before;
  Pace pace;
  while (true) {
    const ProjectedPairs ritz = space.projected();
    const Index wanted = ritz.uncut(options.wanted);
    const RealPairs pairs = real_pairs(ritz, wanted);
    const Block u = space.vectors(pairs.q);
    Block r = space.images(pairs.q);
    subtract_product(u, pairs.theta, r);
    const Vector norms = residual_norms(r, pairs.shifts);
    const auto open = open_pairs(norms, options.tolerance);
    if (options.progress) {
      options.progress(wanted - Index(open.size()), space.products());
    }
    const bool spent = space.products() + Index(open.size()) > options.max_products;
    if (open.empty() || spent || pace.too_slow(norms.sum())) {
      KrylovResult result;
      result.basis = space.vectors(ritz.leading_basis(wanted));
      result.ritz = ritz.values.head(wanted);
      result.residuals = norms;
      result.products = space.products();
      result.converged = open.empty();
      return result;
    }
    const Block t = corrections(a, u(Eigen::all, open), r(Eigen::all, open), chosen(pairs.shifts, open));
    if (space.room() < t.cols()) {
      const Matrix q = kept(ritz, kept_pairs(wanted), before);
      before = orthogonal_factor(q.transpose() * pairs.q, wanted);
      space.restart(q);
    } else {
      before = pairs.q;
    }
    space.extend(t);
  }
}

}  // namespace itomap::detail
