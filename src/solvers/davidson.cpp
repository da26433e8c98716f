#include "solvers/davidson.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"
#include "solvers/search_space.hpp"

namespace itomap::detail {
namespace {

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

/// Some of the Ritz pairs, and how far they are from eigenpairs.
struct RitzPairs {
  Vector theta;
  Block u;
  Block r;  // A u - theta u
  Vector norms;

  Index count() const { return theta.size(); }
  /// The first ones that have converged.
  Index leading(double tolerance) const {
    return std::find_if(norms.begin(), norms.end(), [&](double norm) { return !(norm <= tolerance); }) - norms.begin();
  }
  bool converged(double tolerance) const { return leading(tolerance) == count(); }
};

RitzPairs ritz_pairs(const SearchSpace& space, const ProjectedPairs& ritz, Index first, Index count) {
  const Matrix q = ritz.vectors.real().middleCols(first, count);
  RitzPairs pairs;
  pairs.theta = ritz.values.real().segment(first, count);
  pairs.u = space.vectors(q);
  pairs.r = space.images(q) - pairs.u * pairs.theta.asDiagonal();
  pairs.norms = column_norms(pairs.r);
  return pairs;
}

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

/// The corrections of the first pairs that have not converged.
Block corrections(const Vector& diagonal, const RitzPairs& pairs, const KrylovOptions& options) {
  Block result(pairs.r.rows(), options.block);
  Index open = 0;
  for (Index n = 0; n < pairs.count() && open < options.block; ++n) {
    if (pairs.norms[n] > options.tolerance) {
      Vector t = pairs.r.col(n);
      correct(diagonal, pairs.theta[n], pairs.u.col(n), t);
      result.col(open++) = t;
    }
  }
  return result.leftCols(open);
}

/// Leading pairs that had converged, with the values `settled`, and still are the first ones: as the space grows, a
/// value that was hidden from it may come up among them.
Index still_leading(const Vector& settled, const Vector& theta, double tolerance) {
  Index n = 0;
  while (n < settled.size() && std::abs(theta[n] - settled[n]) <= tolerance) {
    ++n;
  }
  return n;
}

/// The first pairs that have not converged, if any; behind `settled`, which grows by those that have. All pairs at
/// every step would be most of the work.
RitzPairs first_open(const SearchSpace& space, const ProjectedPairs& ritz, const KrylovOptions& options,
                     Vector& settled) {
  while (true) {
    const Index ready = settled.size();
    RitzPairs pairs = ritz_pairs(space, ritz, ready, std::min(options.block, options.wanted - ready));
    const Index converged = pairs.leading(options.tolerance);
    if (converged == 0 || ready + pairs.count() == options.wanted) {
      return pairs;
    }
    settled = ritz.values.real().head(ready + converged);
  }
}

/// What a restart keeps: the leading Ritz vectors, and those that the step before worked on, from which conjugate
/// gradients would take their direction. Without these a small space takes twice as many products.
Matrix kept(const Matrix& vectors, Index leading, const Matrix& before) {
  Matrix q = Matrix::Zero(vectors.rows(), leading + before.cols());
  q.leftCols(leading) = vectors.leftCols(leading);
  q.block(0, leading, before.rows(), before.cols()) = before;
  return orthogonal_factor(q, q.cols());
}

/// Rows that stand out, what the caller knows, and random directions.
Block start_block(const LinearOperator& a, PointsView locked, const KrylovOptions& options) {
  // Of rows whose mode is locked, next to nothing is left.
  const Vector left = (1.0 - locked.rowwise().squaredNorm().array()).max(0.0);
  const auto outliers = largest_entries(a.diagonal.cwiseProduct(left), options.wanted + options.block);
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
  SearchSpace space(a, locked, davidson_basis_size(options.wanted, options.block), options.seed);
  space.extend(start_block(a, locked, options));
  const Index wanted = options.wanted;
  Vector settled;  // values of the leading pairs that have converged
  Matrix before;   // the Ritz vectors that the last step worked on
  while (true) {
    const ProjectedPairs ritz = space.projected();
    settled.conservativeResize(still_leading(settled, ritz.values.real(), options.tolerance));
    RitzPairs pairs = first_open(space, ritz, options, settled);
    const Index ready = settled.size();
    if (options.progress) {
      options.progress(ready + pairs.leading(options.tolerance), space.products());
    }
    const bool done = pairs.converged(options.tolerance);
    const bool spent = space.products() + options.block > options.max_products;
    const bool enough = options.stop && options.stop(ritz.values, ready > 0 ? options.tolerance : pairs.norms[0]);
    if (done || spent || enough) {
      pairs = ritz_pairs(space, ritz, 0, wanted);
      if (!done || pairs.converged(options.tolerance)) {
        const Block spare =
            space.vectors(ritz.vectors.real().middleCols(wanted, std::min(options.spare, space.size() - wanted)));
        return {pairs.u, ritz.values.head(wanted), pairs.norms,
                spare,   space.products(),         pairs.converged(options.tolerance)};
      }
    }
    const Block t = corrections(a.diagonal, pairs, options);
    Matrix vectors = ritz.vectors.real();
    if (space.room() < t.cols()) {
      space.restart(kept(vectors, wanted + (space.size() - wanted) / 2, before));
      vectors.setIdentity(space.size(), wanted);  // they are the basis now
    }
    before = vectors.middleCols(ready, std::min(options.block, wanted - ready));
    space.extend(t);
  }
}

}  // namespace itomap::detail
