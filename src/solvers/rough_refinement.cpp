#include "solvers/rough_refinement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "solvers/orthogonal.hpp"
#include "solvers/projected.hpp"

namespace itomap::detail {
namespace {

/// More steps than this gain nothing: then A' is not near enough to A.
constexpr int most_refinements = 12;
constexpr int most_gradients = 60;
/// What conjugate gradients leave is less than A' is off by.
constexpr double small_share = 0.02;

/// x += y diag(factors).
void add_scaled(PointsView y, const Vector& factors, Block& x) {
  parallel_chunks(x.rows(), row_chunk, {2.0 * double(x.size())}, [&](Index begin, Index end) {
    x.middleRows(begin, end - begin) += y.middleRows(begin, end - begin) * factors.asDiagonal();
  });
}

/// Sums over the rows of a_n b_n.
Vector column_products_of(const Block& a, const Block& b) {
  return parallel_sum(a.rows(), row_chunk, {2.0 * double(a.size())}, 1, a.cols(),
                      [&](Index begin, Index end) {
                        Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(a.cols());
                        for (Index i = begin; i < end; ++i) {
                          sums += a.row(i).cwiseProduct(b.row(i));
                        }
                        return Matrix(sums);
                      })
      .transpose();
}

Vector quotients_of(const Vector& a, const Vector& b) {
  return (b.array() > 0.0).select(a.array() / b.array().max(1e-300), 0.0);
}

Block orthonormal_columns(Block x) {
  std::vector<Index> dependent;
  orthonormalise(x, breakdown, dependent);
  std::vector<Index> independent;
  for (Index c = 0; c < x.cols(); ++c) {
    if (std::find(dependent.begin(), dependent.end(), c) == dependent.end()) {
      independent.push_back(c);
    }
  }
  return dependent.empty() ? x : Block(x(Eigen::all, independent));
}

/// Solves (theta_n - M) z_n = c_n in the complement of the orthonormal `found`, where the matrix is positive.
Block shifted_solutions(const LinearOperator& m, PointsView found, const Vector& theta, Block c) {
  project_out(found, c);
  Block z = Block::Zero(c.rows(), c.cols());
  Block p = c;
  Vector square = column_products_of(c, c);
  const Vector enough = small_share * small_share * square;
  for (int step = 0; step < most_gradients && (square.array() > enough.array()).any(); ++step) {
    Block image = -m.apply(p);
    add_scaled(p, theta, image);
    project_out(found, image);
    const Vector length = quotients_of(square, column_products_of(p, image));
    add_scaled(p, length, z);
    add_scaled(image, -length, c);
    const Vector next = column_products_of(c, c);
    Block direction = c;
    add_scaled(p, quotients_of(next, square), direction);
    p = std::move(direction);
    square = next;
  }
  return z;
}

class Refinement {
 public:
  Refinement(const LinearOperator& a, const Condensation& rough, PointsView known, Block start)
      : a_(a), rough_(rough), known_(known), x_(std::move(start)), image_(a.apply(x_)), products_(x_.cols()) {
    take_ritz_pairs(inner(x_, image_), [this](const Matrix& q) {
      rotate(x_, q);
      rotate(image_, q);
    });
  }

  const Vector& residuals() const { return residuals_; }

  /// False if there was nowhere to go.
  bool step(Index wanted, double tolerance) {
    Block t = corrections(unfinished(wanted, tolerance));
    for (int twice = 0; twice < 2; ++twice) {
      project_out(known_, t);
      project_out(x_, t);
      t = orthonormal_columns(std::move(t));
    }
    if (t.cols() == 0) {
      return false;
    }
    const Block t_image = a_.apply(t);
    products_ += t.cols();
    const Index k = x_.cols();
    Matrix h(k + t.cols(), k + t.cols());
    h << inner(x_, image_), inner(x_, t_image), Matrix::Zero(t.cols(), k), inner(t, t_image);
    h.bottomLeftCorner(t.cols(), k) = h.topRightCorner(k, t.cols()).transpose();
    take_ritz_pairs(h, [&](const Matrix& q) {
      x_ = product(x_, q.topRows(k)) + product(t, q.bottomRows(t.cols()));
      image_ = product(image_, q.topRows(k)) + product(t_image, q.bottomRows(t.cols()));
    });
    return true;
  }

  RefinedSubspace result(double roughness) && { return {std::move(x_), theta_, residuals_, roughness, products_}; }

 private:
  template <class Combine>
  void take_ritz_pairs(const Matrix& h, const Combine& combine) {
    const ProjectedPairs pairs = projected_pairs(h, true);
    combine(pairs.vectors.real().leftCols(x_.cols()));
    theta_ = pairs.values.real().head(x_.cols());
    residual_ = image_;
    add_scaled(x_, -theta_, residual_);
    residuals_ = column_norms(residual_);
  }

  /// Those behind the wanted ones stay as rough as they are.
  std::vector<Index> unfinished(Index wanted, double tolerance) const {
    std::vector<Index> columns;
    for (Index n = 0; n < std::min(wanted, x_.cols()); ++n) {
      if (residuals_[n] > tolerance) {
        columns.push_back(n);
      }
    }
    return columns;
  }

  Block corrections(const std::vector<Index>& columns) const {
    const Block r = residual_(Eigen::all, columns);
    const Vector theta = theta_(columns);
    Block found = rough_.condense(joined(known_, x_));
    found = orthonormal_columns(std::move(found));
    Block t = rough_.expand(shifted_solutions(rough_.small(), found, theta, rough_.condense(r)));
    t += r;
    return t;
  }

  const LinearOperator& a_;
  const Condensation& rough_;
  PointsView known_;
  Block x_;
  Block image_;
  Block residual_;
  Vector theta_;
  Vector residuals_;
  Index products_;
};

}  // namespace

RefinedSubspace refined_subspace(const LinearOperator& a, const Condensation& rough, PointsView known, Block start,
                                 const RefinementOptions& options) {
  Refinement refinement(a, rough, known, std::move(start));
  const double roughness = refinement.residuals().maxCoeff();
  const auto worst = [&] { return refinement.residuals().head(options.wanted).maxCoeff(); };
  for (int step = 0; step < most_refinements && worst() > options.tolerance; ++step) {
    if (!refinement.step(options.wanted, options.tolerance)) {
      break;
    }
  }
  return std::move(refinement).result(roughness);
}

}  // namespace itomap::detail
