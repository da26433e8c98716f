#include "itomap/dynamics/planar_reference.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dynamics/planar_grid.hpp"
#include "itomap/core/error.hpp"
#include "spectrum/orthogonal.hpp"

namespace itomap {
namespace {

/// Of Ritz pairs, relative to the Ritz value; eigenvalues are then exact to its square.
constexpr double solver_tolerance = 1e-8;
constexpr Index most_blocks = 25;
/// Columns of a block beyond those wanted: speed, and the copies of a repeated eigenvalue that straddles the end.
constexpr Index guard_columns = 4;
constexpr double dependence = 1e-12;

/// shift (shift - L)^-1 in the symmetric variables; its eigenvalues are shift / (shift - lambda).
class ShiftedInverse {
 public:
  ShiftedInverse(const PlanarGrid& grid, double shift, int threads) : shift_(shift), threads_(threads) {
    factors_.setShift(shift);
    factors_.compute(grid.minus_generator);
    if (factors_.info() != Eigen::Success)
      throw NumericalError("planar reference: the matrix could not be factorised; take another box");
  }

  Block operator()(PointsView block) const {
    Block result(block.rows(), block.cols());
    parallel_chunks(block.cols(), 1, threads_, [&](Index j, Index) {
      const Vector right = shift_ * block.col(j);
      result.col(j) = factors_.solve(right);
    });
    return result;
  }

 private:
  double shift_;
  int threads_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors_;
};

struct GridPairs {
  Vector values;    // lambda_1, lambda_2, ...
  Block functions;  // psi in columns
};

/// A block Krylov space of the inverse, orthogonal to the known constant function. Blocks are as wide as the number of
/// pairs wanted, so that repeated eigenvalues come out in full, and all vectors are sqrt(pi) times something bounded.
class InverseKrylov {
 public:
  InverseKrylov(const PlanarGrid& grid, const ShiftedInverse& inverse, Index wanted, int threads)
      : inverse_(inverse), wanted_(wanted), threads_(threads) {
    blocks_.emplace_back(grid.root_mass.normalized());
    Block start = random_block(grid.root_mass.size(), wanted + guard_columns, 0);
    start.array().colwise() *= grid.root_mass.array();
    project_out(blocks_[0], start, threads_);
    std::vector<Index> dependent;
    orthonormalise(start, dependence, threads_, dependent);
    blocks_.push_back(std::move(start));
  }

  /// Grows until the wanted pairs have converged.
  void solve() {
    while (!grow())
      if (Index(blocks_.size()) > most_blocks)
        throw NumericalError("planar reference: the eigenpairs did not converge; take another box or fewer pairs");
  }

  const Vector& ritz() const { return ritz_; }
  Block vectors() const {
    Block sum = Block::Zero(blocks_[0].rows(), wanted_);
    Index row = 0;
    for (std::size_t k = 1; k < blocks_.size() - 1; ++k) {
      sum += product(blocks_[k], small_vectors_.middleRows(row, blocks_[k].cols()), threads_);
      row += blocks_[k].cols();
    }
    return sum;
  }

 private:
  bool grow() {
    Block next = inverse_(blocks_.back());
    const Matrix column = orthogonalise(next);
    std::vector<Index> dependent;
    const Matrix coupling = orthonormalise(next, dependence, threads_, dependent);
    append(column);
    blocks_.push_back(std::move(next));
    const Eigen::SelfAdjointEigenSolver<Matrix> small(projected_);
    ritz_ = small.eigenvalues().reverse().head(wanted_);
    small_vectors_ = small.eigenvectors().rowwise().reverse().leftCols(wanted_);
    const Matrix residuals = coupling * small_vectors_.bottomRows(coupling.cols());
    return (residuals.colwise().norm().transpose().array() <= solver_tolerance * ritz_.array()).all();
  }

  /// Makes `next` orthogonal to all blocks, twice against rounding; returns V^T next as it was, without the constant.
  Matrix orthogonalise(Block& next) const {
    Matrix column = Matrix::Zero(projected_.rows() + blocks_.back().cols(), next.cols());
    for (int pass = 0; pass < 2; ++pass) {
      Index row = 0;
      project_out(blocks_[0], next, threads_);
      for (std::size_t k = 1; k < blocks_.size(); ++k) {
        column.middleRows(row, blocks_[k].cols()) += project_out(blocks_[k], next, threads_);
        row += blocks_[k].cols();
      }
    }
    return column;
  }

  /// One more block of rows and columns of V^T A V, which is symmetric.
  void append(const Matrix& column) {
    const Index old = projected_.rows(), size = column.rows();
    Matrix grown(size, size);
    grown.topLeftCorner(old, old) = projected_;
    grown.rightCols(size - old) = column;
    grown.bottomRows(size - old) = column.transpose();
    projected_ = 0.5 * (grown + grown.transpose());
  }

  const ShiftedInverse& inverse_;
  Index wanted_;
  int threads_;
  std::vector<Block> blocks_;  // the constant, then one for each step
  Matrix projected_;
  Vector ritz_;
  Matrix small_vectors_;
};

/// The place where sqrt(pi) |psi| is largest; of several, up to rounding and the grid, the last.
Index sign_node(const Vector& u) {
  constexpr double tie = 1.0 - 1e-6;
  const double largest = u.cwiseAbs().maxCoeff();
  Index node = u.size() - 1;
  while (std::abs(u[node]) < tie * largest) --node;
  return node;
}

/// From u = sqrt(w pi) psi with |u| = 1 to psi of unit mean square.
void unscale(const PlanarGrid& grid, Block& vectors) {
  const double total = grid.root_mass.norm();
  for (Index n = 0; n < vectors.cols(); ++n) {
    const Vector u = vectors.col(n);
    const double factor = u[sign_node(u)] < 0.0 ? -total : total;
    vectors.col(n) = factor * u.cwiseQuotient(grid.root_mass);
  }
}

/// The rate of free diffusion over the box: of the order of the slow eigenvalues, whatever the units.
double natural_shift(const Box& box) { return std::pow(std::numbers::pi / (box.high - box.low).maxCoeff(), 2); }

GridPairs solve_grid(const PlanarGrid& grid, const Box& box, const PlanarOptions& options) {
  const double shift = natural_shift(box);
  const ShiftedInverse inverse(grid, shift, options.threads);
  InverseKrylov krylov(grid, inverse, options.count, options.threads);
  krylov.solve();
  GridPairs pairs{shift * (1.0 - krylov.ritz().cwiseInverse().array()), krylov.vectors()};
  unscale(grid, pairs.functions);
  return pairs;
}

/// Extrapolated eigenvalues may change places where two are nearly equal: functions and errors go with them.
PlanarReference assemble(const PlanarGrid& grid, const GridPairs& pairs, const Vector& errors) {
  const Index count = pairs.values.size();
  const Vector values = pairs.values + errors;
  std::vector<Index> order(std::size_t(count), 0);
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, [&](Index a, Index b) { return values[a] > values[b]; });
  PlanarReference result{.eigenvalues = Vector::Zero(count + 1),
                         .errors = Vector::Zero(count + 1),
                         .timescales = Vector::Constant(count + 1, std::numeric_limits<double>::infinity()),
                         .x = grid.x,
                         .y = grid.y,
                         .eigenfunctions = Block::Ones(grid.root_mass.size(), count + 1)};
  for (Index n = 1; n <= count; ++n) {
    const Index source = order[std::size_t(n - 1)];
    result.eigenvalues[n] = values[source];
    result.errors[n] = std::abs(errors[source]);
    result.timescales[n] = -1.0 / values[source];
    result.eigenfunctions.col(n) = pairs.functions.col(source);
  }
  return result;
}

/// Lagrange polynomials through four equidistant nodes 0, 1, 2, 3.
std::array<double, 4> cubic_weights(double t) {
  return {-(t - 1.0) * (t - 2.0) * (t - 3.0) / 6.0, t * (t - 2.0) * (t - 3.0) / 2.0, -t * (t - 1.0) * (t - 3.0) / 2.0,
          t * (t - 1.0) * (t - 2.0) / 6.0};
}

/// The four nodes around a coordinate, shifted inwards at the ends, and their weights.
struct Stencil {
  Index first;
  std::array<double, 4> weights;

  Stencil(const Vector& nodes, double value) {
    const double spacing = (nodes[nodes.size() - 1] - nodes[0]) / double(nodes.size() - 1);
    const double place = std::clamp((value - nodes[0]) / spacing, 0.0, double(nodes.size() - 1));
    first = std::clamp<Index>(Index(place) - 1, 0, nodes.size() - 4);
    weights = cubic_weights(place - double(first));
  }
};

}  // namespace

void PlanarOptions::validate() const {
  if (count < 1) throw InvalidArgument(fmt::format("count: {} is wrong; it must be >= 1", count));
  if (!(accuracy > 0.0)) throw InvalidArgument(fmt::format("accuracy: {:g} is wrong; it must be > 0", accuracy));
  if (cells < 8 || cells % 2 != 0)
    throw InvalidArgument(fmt::format("cells: {} is wrong; it must be even and >= 8", cells));
  if (max_cells < cells) throw InvalidArgument(fmt::format("max_cells: {} is wrong; cells is {}", max_cells, cells));
  const Index coarse_nodes = (cells / 2 + 1) * (cells / 2 + 1);
  if (8 * (count + guard_columns) > coarse_nodes)
    throw InvalidArgument(
        fmt::format("count: {} is too many for a grid of {} x {} cells; take more cells", count, cells / 2, cells / 2));
}

PlanarReference planar_reference(const LogDensity& log_target, const Box& box, const PlanarOptions& options) {
  options.validate();
  box.validate(2);
  GridPairs coarse = solve_grid(make_planar_grid(log_target, box, options.cells / 2), box, options);
  for (Index cells = options.cells;; cells *= 2) {
    const PlanarGrid grid = make_planar_grid(log_target, box, cells);
    GridPairs fine = solve_grid(grid, box, options);
    const Vector errors = (fine.values - coarse.values) / 3.0;
    const bool converged = (errors.array().abs() <= options.accuracy * fine.values.array().abs()).all();
    if (converged || 2 * cells > options.max_cells) {
      PlanarReference result = assemble(grid, fine, errors);
      result.converged = converged;
      return result;
    }
    coarse = std::move(fine);
  }
}

Block PlanarReference::at(PointsView points) const {
  if (points.cols() != 2)
    throw InvalidArgument(fmt::format("points: {} coordinates are wrong; the reference has 2", points.cols()));
  if (!points.allFinite()) throw InvalidArgument("points: some coordinate is NaN or infinite; mend or remove that row");
  Block values = Block::Zero(points.rows(), eigenfunctions.cols());
  for (Index p = 0; p < points.rows(); ++p) {
    const Stencil along_x(x, points(p, 0)), along_y(y, points(p, 1));
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        values.row(p) += along_x.weights[i] * along_y.weights[j] *
                         eigenfunctions.row((along_x.first + Index(i)) * y.size() + along_y.first + Index(j));
  }
  return values;
}

}  // namespace itomap
