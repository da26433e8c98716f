#include "solvers/davidson.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// Below this a direction is rounding noise.
constexpr double breakdown = 1e-13;

/// Rows with a larger diagonal entry hold their mode nearly alone.
constexpr double nearly_diagonal = 0.9;

std::vector<Index> largest_entries(const Vector& values, Index count) {
  std::vector<Index> order(std::size_t(values.size()));
  std::iota(order.begin(), order.end(), Index(0));
  const auto end = order.begin() + std::min(count, values.size());
  std::partial_sort(order.begin(), end, order.end(),
                    [&](Index i, Index j) { return values[i] != values[j] ? values[i] > values[j] : i < j; });
  order.erase(end, order.end());
  return order;
}

/// V, A V and the projection V^T A V, which grow together.
class SearchSpace {
 public:
  SearchSpace(const LinearOperator& a, PointsView locked, const KrylovOptions& options)
      : a_(a),
        locked_(locked),
        capacity_(davidson_basis_size(options.wanted, options.block)),
        v_(a.size, capacity_),
        image_(a.size, capacity_),
        seed_(options.seed) {}

  Index size() const { return size_; }
  Index room() const { return capacity_ - size_; }
  Index products() const { return products_; }

  /// Appends directions, made orthonormal to all there is; one that vanishes is replaced by a random one.
  void extend(Block w) {
    normalise_columns(w);
    while (!appendable(w)) {
    }
    const Index b = w.cols();
    const Block image = a_.apply(w);
    products_ += b;
    v_.middleCols(size_, b) = w;
    image_.middleCols(size_, b) = image;
    Matrix h(size_ + b, size_ + b);
    h.topLeftCorner(size_, size_) = h_;
    size_ += b;
    h.rightCols(b) = inner(v_.leftCols(size_), image);
    h.bottomRows(b) = h.rightCols(b).transpose().eval();
    h_ = std::move(h);
  }

  void restart(const Matrix& q) {
    rotate(v_.leftCols(size_), q);
    rotate(image_.leftCols(size_), q);
    h_ = (q.transpose() * h_ * q).eval();
    size_ = q.cols();
  }

  const Matrix& projection() const { return h_; }
  Block vectors(const Matrix& q) const { return product(v_.leftCols(size_), q); }

  /// A u - theta u for the Ritz vectors u = V q; the part along what is locked does not count.
  Block residuals(const Matrix& q, const Vector& theta, const Block& u) const {
    Block r = product(image_.leftCols(size_), q);
    for (Index n = 0; n < theta.size(); ++n) {
      r.col(n) -= theta[n] * u.col(n);
    }
    project_out(locked_, r);
    return r;
  }

 private:
  /// One round of making w orthonormal to all there is; false if another is needed.
  bool appendable(Block& w) {
    project_out(locked_, w);
    project_out(v_.leftCols(size_), w);
    std::vector<Index> dependent;
    const Matrix r = orthonormalise(w, breakdown, dependent);
    for (const Index c : dependent) {
      w.col(c) = a_.random(1, seed_++).col(0) / std::sqrt(double(a_.dimension()) / 3.0);
    }
    // What little of V the projection left in w grows by the inverse of the smallest entry.
    return dependent.empty() && r.diagonal().minCoeff() > 1e-2;
  }

  const LinearOperator& a_;
  PointsView locked_;
  Index capacity_;
  Index size_ = 0;
  Block v_;
  Block image_;
  Matrix h_;
  std::uint64_t seed_;
  Index products_ = 0;
};

/// Olsen's correction for one pair, in place of its residual.
void correct(const Vector& diagonal, double theta, const Eigen::Ref<const Vector>& u, Eigen::Ref<Vector> r) {
  // A row whose diagonal entry is theta itself is the mode, which the space holds already.
  const double smallest = 1e-3 * std::abs(1.0 - theta) + 1e-14;
  const Vector inverse = (diagonal.array() - theta).unaryExpr([&](double gap) {
    return 1.0 / (std::abs(gap) > smallest ? gap : std::copysign(smallest, gap));
  });
  const Vector mu = inverse.cwiseProduct(u);
  const double weight = u.dot(mu);
  const double alpha = weight != 0.0 ? mu.dot(r) / weight : 0.0;
  r = inverse.cwiseProduct(r) - alpha * mu;
}

/// Rows that stand out, what the caller knows, and random directions.
Block start_block(const LinearOperator& a, const KrylovOptions& options) {
  const auto outliers = largest_entries(a.diagonal, options.wanted + options.block);
  const auto units = Index(outliers.size());
  const Index hints = std::min(options.start.cols(), options.wanted + options.block);
  Block start = Block::Zero(a.size, units + hints + options.block);
  for (Index n = 0; n < units; ++n) {
    start(outliers[std::size_t(n)], n) = 1.0;
  }
  if (hints > 0) {
    start.middleCols(units, hints) = options.start.leftCols(hints);
  }
  start.rightCols(options.block) = a.random(options.block, options.seed + 1);
  return start;
}

}  // namespace

bool suits_davidson(const LinearOperator& a, Index wanted) {
  // Fewer products, but more algebra for each: not where products are cheap.
  return a.symmetric && !a.cheap && a.diagonal.size() > 0 &&
         3 * (a.diagonal.array() > nearly_diagonal).count() > wanted;
}

Index davidson_basis_size(Index wanted, Index block) { return std::max<Index>(48, 4 * (wanted + block)); }

KrylovResult davidson(const LinearOperator& a, PointsView locked, const KrylovOptions& options) {
  SearchSpace space(a, locked, options);
  space.extend(start_block(a, options));
  KrylovResult result;
  const Index wanted = options.wanted;
  while (true) {
    const ProjectedPairs ritz = projected_pairs(space.projection(), true);
    const Matrix q = ritz.vectors.real().leftCols(wanted);
    const Vector theta = ritz.values.real().head(wanted);
    Block u = space.vectors(q);
    Block r = space.residuals(q, theta, u);
    const Vector norms = column_norms(r);
    std::vector<Index> open;
    for (Index n = 0; n < wanted; ++n) {
      if (norms[n] > options.tolerance) {
        open.push_back(n);
      }
    }
    if (options.progress) {
      options.progress(wanted - Index(open.size()), space.products());
    }
    result.converged = open.empty();
    const bool spent = space.products() + options.block > options.max_products;
    const bool enough = options.stop && options.stop(ritz.values, norms[0]);
    if (result.converged || spent || enough) {
      result.basis = std::move(u);
      result.ritz = ritz.values.head(wanted);
      result.residuals = norms;
      result.products = space.products();
      return result;
    }
    open.resize(std::min(open.size(), std::size_t(options.block)));
    Block corrections(a.size, Index(open.size()));
    for (std::size_t k = 0; k < open.size(); ++k) {
      Vector t = r.col(open[k]);
      correct(a.diagonal, theta[open[k]], u.col(open[k]), t);
      corrections.col(Index(k)) = t;
    }
    if (space.room() < corrections.cols()) {
      space.restart(ritz.vectors.real().leftCols(wanted + (space.size() - wanted) / 3));
    }
    space.extend(std::move(corrections));
  }
}

}  // namespace itomap::detail
