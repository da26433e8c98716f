#include "spectrum/stationary_search.hpp"

#include <algorithm>
#include <utility>

#include "spectrum/components.hpp"
#include "spectrum/solve.hpp"

namespace itomap::detail {
namespace {

/// 1 for the points of the process, 0 for those that see nothing but traps and stay where they are.
Vector moving(const Generator& g) {
  return g.pace.size() == 0 ? Vector(Vector::Ones(g.size())) : Vector((g.pace.array() > 0.0).cast<double>());
}

}  // namespace

Vector component_shares(const Generator& g) {
  const Vector points = moving(g);
  return component_sums(points / points.sum(), g.component, g.diagnostics.components);
}

StationarySearch::StationarySearch(const Generator& generator, const SmallComponents& small,
                                   const LinearOperator& transpose, const Vector& shares, Vector small_stationary)
    : g_(generator),
      small_(small),
      transpose_(transpose),
      shares_(shares),
      small_stationary_(std::move(small_stationary)) {}

Vector StationarySearch::run(SideSearch& left, SubspaceOptions options, double tolerance) {
  // By less than this a vector of mu = 1 is moved, unless it is one of an eigenvalue next to it.
  const double told_apart = std::max(1e-4 * tolerance, sharpest);
  // Where others come next to it, they are told apart by it, and are no better than it is.
  const double enough = left.zero_mode_is_alone() ? tolerance : told_apart;
  Vector phi = covering(left, options, told_apart);
  for (int again = 0; again < most_sharpenings && left.converged(); ++again) {
    const double r = residual(phi);
    if (r <= enough) {
      break;
    }
    options.tolerance = sharper(options.tolerance, enough / r);
    left.sharpen(options);
    phi = covering(left, options, told_apart);
  }
  return phi;
}

double StationarySearch::lightest_share() const {
  double lightest = 1.0;
  for (Index c = 0; c < shares_.size(); ++c) {
    lightest = small_.is_small(c) ? lightest : std::min(lightest, shares_[c]);
  }
  return lightest;
}

/// Takes more left vectors of mu = 1 as long as one of the large components has no part in any: where some may end in
/// several places, the first of them need not reach all.
Vector StationarySearch::covering(SideSearch& left, SubspaceOptions options, double told_apart) const {
  while (true) {
    const Vector phi = heaviest_parts(left.fixed_vectors(told_apart));
    const Index rest = g_.size() - small_.points();
    options.wanted = std::min(uncovered(phi), rest - left.columns());
    if (options.wanted == 0 || !left.converged()) {
      return scaled(phi);
    }
    left.extend(options);
  }
}

/// Left vectors of mu = 1, one for each large component but in any mixture, as one vector: on every component the one
/// that has most of it. All are multiples of its stationary distribution there, some of them rounding.
Vector StationarySearch::heaviest_parts(const Block& vectors) const {
  const Index components = g_.diagnostics.components;
  Matrix norms(components, vectors.cols());
  for (Index n = 0; n < vectors.cols(); ++n) {
    norms.col(n) = component_sums(vectors.col(n).cwiseAbs2(), g_.component, components);
  }
  Vector result(g_.size());
  for (Index i = 0; i < g_.size(); ++i) {
    Index heaviest = 0;
    norms.row(g_.component[std::size_t(i)]).maxCoeff(&heaviest);
    result[i] = vectors(i, heaviest);
  }
  return result;
}

/// Large components where the vector is nothing.
Index StationarySearch::uncovered(const Vector& phi) const {
  constexpr double nothing = 1e-6;
  const Vector norms = component_norms(phi, g_.component, g_.diagnostics.components);
  Index count = 0;
  for (Index c = 0; c < norms.size(); ++c) {
    count += !small_.is_small(c) && norms[c] < nothing ? 1 : 0;
  }
  return count;
}

/// Each component's distribution scaled to its share; one where it is lost keeps equal weights.
Vector StationarySearch::scaled(const Vector& large) const {
  // A left eigenvector of mu = 1 is positive where the process returns to: absolute values and a step of P^T remove
  // what rounding has made negative. Sums on a grid may be off by its last digits.
  const Vector positive = transpose_.apply(large.cwiseAbs()).col(0).cwiseMax(0.0);
  const Vector weights = small_.cleared(positive) + small_stationary_;
  const Vector sums = component_sums(weights, g_.component, g_.diagnostics.components);
  const Vector points = component_sums(Vector::Ones(g_.size()), g_.component, g_.diagnostics.components);
  Vector result(weights.size());
  for (Index i = 0; i < weights.size(); ++i) {
    const Index c = g_.component[std::size_t(i)];
    result[i] = shares_[c] * (sums[c] > 0.0 ? weights[i] / sums[c] : 1.0 / points[c]);
  }
  return result;
}

double StationarySearch::residual(const Vector& phi) const {
  return (transpose_.apply(phi).col(0) - phi).norm() / phi.norm();
}

}  // namespace itomap::detail
