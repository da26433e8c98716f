#include "itomap/analysis/pcca.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/nelder_mead.hpp"
#include "analysis/set_order.hpp"
#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "core/scaled_rows.hpp"
#include "itomap/core/error.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Orthonormal in the stationary inner product, the constant first and unchanged.
Block orthonormal_basis(PointsView functions, const Vector& stationary) {
  Block x(functions.rows(), functions.cols() + 1);
  x << Vector::Ones(functions.rows()), functions;
  const Matrix gram = inner(x, scaled_rows(stationary, x));
  const Eigen::LLT<Matrix> cholesky(gram);
  const Matrix upper = cholesky.matrixU();
  for (Index k = 1; k < x.cols(); ++k) {
    // The part of a function that those before it do not explain, below which only rounding is left.
    const double rest = upper(k, k) / std::sqrt(gram(k, k));
    if (cholesky.info() != Eigen::Success || !(rest > std::sqrt(std::numeric_limits<double>::epsilon()))) {
      throw InvalidArgument("functions: they depend on each other or on the constant; name different ones");
    }
  }
  const Matrix identity = Matrix::Identity(x.cols(), x.cols());
  return product(x, upper.triangularView<Eigen::Upper>().solve(identity));
}

Index longest_row(const Block& y) {
  Index longest = 0;
  y.rowwise().squaredNorm().maxCoeff(&longest);
  return longest;
}

/// Inner simplex: the row farthest from the origin, then always the one farthest from the plane through those found.
std::vector<Index> inner_simplex(const Block& x) {
  Block y = x.rightCols(x.cols() - 1);
  std::vector<Index> corners{longest_row(y)};
  y.rowwise() -= Eigen::RowVectorXd(y.row(corners[0]));
  for (Index k = 1; k < x.cols(); ++k) {
    corners.push_back(longest_row(y));
    const Eigen::RowVectorXd direction = y.row(corners.back()).normalized();
    y -= (y * direction.transpose()).eval() * direction;
  }
  return corners;
}

/// The transformation A as a function of its free entries, all but the first row and column, over a given set of rows.
class Transformations {
 public:
  explicit Transformations(Index sets) : sets_(sets) {}

  Vector free_entries(const Matrix& a) const { return a.bottomRightCorner(sets_ - 1, sets_ - 1).reshaped(); }

  /// The first column makes the memberships sum to 1, the first row makes the smallest of each 0.
  Matrix complete(const Vector& entries, const Matrix& rows) const {
    Matrix a = without_first_row(entries);
    a.row(0) = -(rows * a.bottomRows(sets_ - 1)).colwise().minCoeff();
    return a / a.row(0).sum();
  }
  Matrix complete(const Vector& entries, const Eigen::RowVectorXd& minima) const {
    Matrix a = without_first_row(entries);
    a.row(0) = -minima;
    return a / a.row(0).sum();
  }
  /// Everything but the first row, which is 0.
  Matrix without_first_row(const Vector& entries) const {
    Matrix a = Matrix::Zero(sets_, sets_);
    a.bottomRightCorner(sets_ - 1, sets_ - 1) = entries.reshaped(sets_ - 1, sets_ - 1);
    a.col(0).tail(sets_ - 1) = -a.bottomRightCorner(sets_ - 1, sets_ - 1).rowwise().sum();
    return a;
  }

 private:
  Index sets_;
};

/// <chi, chi> is the squared length of a column of A, <chi, 1> its first entry: the basis is orthonormal.
double crispness(const Matrix& a) {
  const Eigen::RowVectorXd shares = a.colwise().squaredNorm().cwiseQuotient(a.row(0));
  const double mean = shares.mean();
  return std::isfinite(mean) ? mean : 0.0;
}

/// The smallest value of each column of X A, and where.
struct Minima {
  Eigen::RowVectorXd values;
  std::vector<Index> rows;
};

Minima minima(const Block& x, const Matrix& a) {
  const Block values = product(x, a);
  Minima result{Eigen::RowVectorXd(a.cols()), std::vector<Index>(std::size_t(a.cols()))};
  for (Index j = 0; j < a.cols(); ++j) {
    result.values[j] = values.col(j).minCoeff(&result.rows[j]);
  }
  return result;
}

struct Optimum {
  Matrix a;
  double start_crispness = 0.0;
  bool converged = true;
};

/// The constraints chi >= 0 bind at corners of the convex hull of the rows of X only. A list of corners is enough if no
/// point violates what was found with them; those that do are added and the search goes on.
class Search {
 public:
  Search(const Block& x, const PccaOptions& options) : x_(x), options_(options), transformations_(x.cols()) {}

  Optimum run() {
    corners_ = inner_simplex(x_);
    const Matrix simplex = x_(corners_, Eigen::all);
    Vector entries = transformations_.free_entries(solved(simplex, Matrix::Identity(simplex.rows(), simplex.cols())));
    Optimum best{feasible(entries), 0.0, true};
    best.start_crispness = crispness(best.a);
    Index evaluations = 0;
    for (bool added = true; added && best.converged;) {
      const Minimum found = minimise(entries, options_.max_evaluations - evaluations);
      evaluations += found.evaluations;
      entries = found.x;
      const std::size_t before = corners_.size();
      const Matrix a = feasible(entries);
      if (crispness(a) > crispness(best.a)) {
        best.a = a;
      }
      added = corners_.size() > before;
      best.converged = found.converged;
    }
    return best;
  }

 private:
  Minimum minimise(const Vector& start, Index evaluations) const {
    const Matrix rows = x_(corners_, Eigen::all).rightCols(x_.cols() - 1);
    const auto objective = [&](const Vector& entries) { return -crispness(transformations_.complete(entries, rows)); };
    const double scale = start.norm() / std::sqrt(double(start.size()));
    return nelder_mead(objective, start,
                       {.step = 0.1 * scale, .tolerance = options_.tolerance, .max_evaluations = evaluations});
  }

  /// A that satisfies the constraints of all points; the corners that decide are added to the list.
  Matrix feasible(const Vector& entries) {
    const Minima found = minima(x_, transformations_.without_first_row(entries));
    for (const Index row : found.rows) {
      if (std::ranges::find(corners_, row) == corners_.end()) {
        corners_.push_back(row);
      }
    }
    return transformations_.complete(entries, found.values);
  }

  const Block& x_;
  const PccaOptions& options_;
  Transformations transformations_;
  std::vector<Index> corners_;
};

/// Removes what rounding has left below 0.
void clean_rows(Block& memberships) {
  parallel_chunks(memberships.rows(), row_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      memberships.row(i) = memberships.row(i).cwiseMax(0.0).eval();
      memberships.row(i) /= memberships.row(i).sum();
    }
  });
}

std::vector<Index> largest_memberships(const Block& memberships) {
  std::vector<Index> labels(std::size_t(memberships.rows()));
  for (Index i = 0; i < memberships.rows(); ++i) {
    memberships.row(i).maxCoeff(&labels[i]);
  }
  return labels;
}

void sort_sets(const Matrix& a, Pcca& result) {
  const std::vector<Index> order = order_of_sets(a.row(0).transpose(), result.labels);
  relabel(result.labels, order);
  for (Index i = 0; i < result.memberships.rows(); ++i) {
    const Eigen::RowVectorXd row = result.memberships.row(i);
    result.memberships.row(i) = row(order);
  }
}

void check_functions(PointsView functions, VectorView stationary) {
  if (functions.cols() < 1 || functions.rows() <= functions.cols()) {
    throw InvalidArgument(fmt::format("functions: {} at {} points; PCCA+ needs one at least, and more points than sets",
                                      functions.cols(), functions.rows()));
  }
  if (stationary.size() != functions.rows() || !functions.allFinite() ||
      !(stationary.allFinite() && stationary.minCoeff() >= 0.0 && stationary.sum() > 0.0)) {
    throw InvalidArgument("stationary and functions: they must be finite, one row per point, weights >= 0");
  }
}

}  // namespace

void PccaOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance < 1.0)) {
    throw InvalidArgument(fmt::format("tolerance: {:g} is not between 0 and 1; 1e-8 is the default", tolerance));
  }
  if (max_evaluations < 1) {
    throw InvalidArgument("max_evaluations must be 1 or larger");
  }
}

Pcca pcca(PointsView functions, VectorView stationary, const PccaOptions& options) {
  const ExecutionScope scope(options.execution);
  options.validate();
  check_functions(functions, stationary);
  const Block x = orthonormal_basis(functions, stationary / stationary.sum());
  const Optimum optimum = Search(x, options).run();
  Pcca result;
  result.memberships = product(x, optimum.a);
  clean_rows(result.memberships);
  result.labels = largest_memberships(result.memberships);
  result.crispness = crispness(optimum.a);
  result.start_crispness = optimum.start_crispness;
  result.converged = optimum.converged;
  sort_sets(optimum.a, result);
  return result;
}

}  // namespace itomap
