#include "solvers/block_krylov.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// Columns smaller than this lose six digits of their orthogonality when they are made unit vectors.
constexpr double nearly_vanished = 1e-6;

/// A V = V H + F B; V has `size` columns, F follows them in the same array.
class BlockKrylov {
 public:
  BlockKrylov(const LinearOperator& a, PointsView locked, const KrylovOptions& options)
      : a_(a),
        locked_(locked),
        options_(options),
        capacity_(krylov_basis_size(options.wanted, options.block)),
        v_(a.size, capacity_ + options.block),
        h_(Matrix::Zero(capacity_, capacity_)),
        coupling_(Matrix::Zero(options.block, 0)),
        seed_(options.seed) {
    auto first = v_.leftCols(options.block);
    first = a.random(options.block, seed_++);
    if (options.start.cols() > 0) {
      first.leftCols(options.start.cols()) = options.start;
    }
    project_out(locked_, first);
    orthonormal_block(first);
  }

  bool full() const { return size_ + options_.block > capacity_; }
  Index size() const { return size_; }
  Index products() const { return products_; }

  /// Appends F to the basis and computes the next F from A F.
  void extend() {
    const Index b = options_.block;
    const auto frontier = v_.middleCols(size_, b);
    Block w = options_.filter.apply(a_, frontier);
    products_ += b * options_.filter.degree;
    project_out(locked_, w);
    h_.block(size_, 0, b, size_) = coupling_;
    size_ += b;
    h_.block(0, size_ - b, size_, b) = project_out(v_.leftCols(size_), w);
    coupling_ = Matrix::Zero(b, size_);
    coupling_.rightCols(b) = orthonormal_block(w);
    v_.middleCols(size_, b) = w;
  }

  ProjectedPairs ritz_pairs() const { return projected_pairs(h_.topLeftCorner(size_, size_), a_.symmetric); }

  /// Of A, whatever the filter; infinite if the filter does not tell.
  double residual(const ProjectedPairs& ritz, Index n) const {
    const double factor = options_.filter.residual_factor(ritz.values[n].real());
    const double own = (coupling_ * ritz.vectors.col(n)).norm();
    return factor > 0.0 ? own / factor : std::numeric_limits<double>::infinity();
  }

  /// Keeps the span of the leading Ritz vectors only.
  void restart(const ProjectedPairs& ritz, Index keep) {
    const Matrix q = ritz.leading_basis(keep);
    const Index b = options_.block;
    const Block frontier = v_.middleCols(size_, b);
    rotate(v_.leftCols(size_), q);
    const Matrix h = q.transpose() * h_.topLeftCorner(size_, size_) * q;
    coupling_ = (coupling_ * q).eval();
    h_.setZero();
    size_ = q.cols();
    h_.topLeftCorner(size_, size_) = h;
    v_.middleCols(size_, b) = frontier;
  }

  /// An orthonormal basis of the span of Ritz vectors from the first on: those of the first `count`, and behind them
  /// those of as many as `spare` more.
  std::pair<Block, Block> leading_vectors(const ProjectedPairs& ritz, Index count, Index spare) const {
    const Matrix q = ritz.leading_basis(std::min(count + spare, size_));
    return {product(v_.leftCols(size_), q.leftCols(count)), product(v_.leftCols(size_), q.rightCols(q.cols() - count))};
  }

 private:
  /// Orthonormalises w, which is orthogonal to the basis but for rounding. Where little of a column is left, what
  /// little of the basis is in it grows with it and is taken out once more.
  Matrix orthonormal_block(BlockRef w) {
    const Matrix r = replace_vanishing(w);
    if (r.diagonal().minCoeff() > nearly_vanished) {
      return r;
    }
    project_out(locked_, w);
    project_out(v_.leftCols(size_), w);
    return replace_vanishing(w) * r;
  }

  /// Orthonormalises w. Directions that vanish are replaced by random ones: the space found so far is invariant, and
  /// the search goes on outside of it.
  Matrix replace_vanishing(BlockRef w) {
    std::vector<Index> dependent;
    Matrix r = orthonormalise(w, breakdown, dependent);
    for (const Index c : dependent) {
      w.col(c) = fresh_direction(w);
    }
    return r;
  }

  /// A random unit vector orthogonal to all there is.
  Block fresh_direction(PointsView w) {
    Block x = a_.random(1, seed_++);
    project_out(locked_, x);
    project_out(v_.leftCols(size_), x);
    project_out(w, x);
    return x / column_norms(x)[0];
  }

  const LinearOperator& a_;
  PointsView locked_;
  const KrylovOptions& options_;
  Index capacity_;
  Index size_ = 0;
  Block v_;
  Matrix h_;
  Matrix coupling_;
  std::uint64_t seed_;
  Index products_ = 0;
};

/// Eigenvalues of A from those of p(A).
Eigen::VectorXcd unfiltered(const Eigen::VectorXcd& values, const ChebyshevFilter& filter) {
  if (!filter.active()) {
    return values;
  }
  Eigen::VectorXcd result(values.size());
  for (Index n = 0; n < values.size(); ++n) {
    result[n] = filter.inverse(values[n].real());
  }
  return result;
}

Index count_converged(const BlockKrylov& krylov, const ProjectedPairs& ritz, Index wanted, double tolerance) {
  Index converged = 0;
  while (converged < wanted && krylov.residual(ritz, converged) <= tolerance) {
    ++converged;
  }
  return converged;
}

}  // namespace

Index krylov_basis_size(Index wanted, Index block) {
  const Index columns = std::max<Index>(40, 4 * (wanted + 1));
  return (columns + block - 1) / block * block;
}

KrylovResult block_krylov(const LinearOperator& a, PointsView locked, const KrylovOptions& options) {
  BlockKrylov krylov(a, locked, options);
  // Vectors that A maps to zero are exact at once: of what it does to others, the first steps know next to nothing.
  const Index fewest_products = 3 * options.block * options.filter.degree;
  ProjectedPairs ritz;
  Index wanted = options.wanted;
  bool converged = false;
  while (true) {
    krylov.extend();
    if (krylov.size() <= options.wanted || krylov.products() < fewest_products) {
      continue;
    }
    ritz = krylov.ritz_pairs();
    wanted = ritz.uncut(options.wanted);
    const Index ready = count_converged(krylov, ritz, wanted, options.tolerance);
    if (options.progress) {
      options.progress(ready, krylov.products());
    }
    converged = ready == wanted;
    const bool spent = krylov.products() + options.block * options.filter.degree > options.max_products;
    const bool enough = options.stop && options.stop(unfiltered(ritz.values, options.filter), krylov.residual(ritz, 0));
    if (converged || spent || enough) {
      break;
    }
    if (krylov.full()) {
      krylov.restart(ritz, (wanted + krylov.size() - options.block) / 2);
    }
  }
  KrylovResult result;
  std::tie(result.basis, result.spare) = krylov.leading_vectors(ritz, wanted, options.spare);
  result.ritz = unfiltered(ritz.values, options.filter).head(wanted);
  result.residuals.resize(wanted);
  for (Index n = 0; n < wanted; ++n) {
    result.residuals[n] = krylov.residual(ritz, n);
  }
  result.products = krylov.products();
  result.converged = converged;
  return result;
}

}  // namespace itomap::detail
