#include "itomap/dynamics/planar_reference.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/context.hpp"
#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dynamics/planar_grid.hpp"
#include "itomap/core/error.hpp"
#include "solvers/orthogonal.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Of Ritz pairs, relative to the Ritz value: eigenvalues are exact to its square, eigenfunctions far beyond the grid.
constexpr double solver_tolerance = 1e-6;
constexpr Index most_blocks = 25;
/// Columns of a block beyond those wanted: speed, and the copies of a repeated eigenvalue that straddles the end.
constexpr Index guard_columns = 4;
constexpr double dependence = 1e-12;

/// shift (shift - L)^-1 in the symmetric variables; its eigenvalues are shift / (shift - lambda).
class ShiftedInverse {
 public:
  ShiftedInverse(const PlanarGrid& grid, double shift) : shift_(shift) {
    factors_.setShift(shift);
    factors_.compute(grid.minus_generator);
    if (factors_.info() != Eigen::Success) {
      throw NumericalError("planar reference: the matrix could not be factorised; take another box");
    }
  }

  Block operator()(PointsView block) const {
    Block result(block.rows(), block.cols());
    parallel_chunks(block.cols(), 1, [&](Index j, Index) {
      const Vector right = shift_ * block.col(j);
      result.col(j) = factors_.solve(right);
    });
    return result;
  }

 private:
  double shift_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors_;
};

struct GridPairs {
  Vector values;    // lambda_1, lambda_2, ...
  Block functions;  // psi in columns
};

/// A block Krylov space of the inverse, orthogonal to the known constant function. Blocks are wider than the number of
/// pairs wanted, so that repeated eigenvalues come out in full, and all vectors are sqrt(pi) times something bounded.
class InverseKrylov {
 public:
  /// `start` holds functions psi, in columns.
  InverseKrylov(const PlanarGrid& grid, const ShiftedInverse& inverse, Block start, Index wanted)
      : inverse_(inverse), wanted_(wanted), constant_(grid.root_mass.normalized()) {
    start.array().colwise() *= grid.root_mass.array();
    project_out(constant_, start);
    std::vector<Index> dependent;
    orthonormalise(start, dependence, dependent);
    blocks_.push_back(std::move(start));
  }

  /// Grows until the wanted pairs have converged.
  void solve() {
    while (!grow()) {
      if (Index(blocks_.size()) > most_blocks) {
        throw NumericalError("planar reference: the eigenpairs did not converge; take another box or fewer pairs");
      }
    }
  }

  const Vector& ritz() const { return ritz_; }
  Block vectors() const {
    Block sum = Block::Zero(constant_.rows(), wanted_);
    for (std::size_t k = 0; k + 1 < blocks_.size(); ++k) {
      sum += product(blocks_[k], small_vectors_.middleRows(Index(k) * width(), width()));
    }
    return sum;
  }

 private:
  Index width() const { return blocks_[0].cols(); }

  bool grow() {
    Block next = inverse_(blocks_.back());
    append(orthogonalise(next));
    std::vector<Index> dependent;
    const Matrix coupling = orthonormalise(next, dependence, dependent);
    blocks_.push_back(std::move(next));
    const SymmetricEigen small = symmetric_pairs(projected_);
    ritz_ = small.values.reverse().head(wanted_);
    small_vectors_ = small.vectors.rowwise().reverse().leftCols(wanted_);
    const Matrix residuals = coupling * small_vectors_.bottomRows(width());
    return (residuals.colwise().norm().transpose().array() <= solver_tolerance * ritz_.array()).all();
  }

  /// Makes `next` orthogonal to all blocks, twice against rounding; returns V^T next as it was.
  Matrix orthogonalise(Block& next) const {
    Matrix column = Matrix::Zero(Index(blocks_.size()) * width(), width());
    for (int pass = 0; pass < 2; ++pass) {
      subtract_product(constant_, inner(constant_, next), next);
      for (std::size_t k = 0; k < blocks_.size(); ++k) {
        const Matrix h = inner(blocks_[k], next);
        subtract_product(blocks_[k], h, next);
        column.middleRows(Index(k) * width(), width()) += h;
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
  Block constant_;  // psi = 1
  std::vector<Block> blocks_;
  Matrix projected_;
  Vector ritz_;
  Matrix small_vectors_;
};

/// The place where sqrt(pi) |psi| is largest; of several, up to rounding and the grid, the last.
Index sign_node(const Vector& u) {
  constexpr double tie = 1.0 - 1e-6;
  const double largest = u.cwiseAbs().maxCoeff();
  Index node = u.size() - 1;
  while (std::abs(u[node]) < tie * largest) {
    --node;
  }
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

GridPairs solve_grid(const PlanarGrid& grid, const Box& box, Block start, const PlanarOptions& options) {
  const double shift = natural_shift(box);
  const ShiftedInverse inverse(grid, shift);
  InverseKrylov krylov(grid, inverse, std::move(start), options.count);
  krylov.solve();
  GridPairs pairs{shift * (1.0 - krylov.ritz().cwiseInverse().array()), krylov.vectors()};
  unscale(grid, pairs.functions);
  return pairs;
}

/// Functions on a grid with twice as many cells: means of the neighbours at new nodes.
Block refined(const Block& functions, Index cells) {
  const Index old_nodes = cells + 1, nodes = 2 * cells + 1;
  Block result(nodes * nodes, functions.cols());
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = 0; j < nodes; ++j) {
      const auto old = [&](Index a, Index b) { return functions.row(a * old_nodes + b); };
      const Index low_i = i / 2, high_i = (i + 1) / 2, low_j = j / 2, high_j = (j + 1) / 2;
      result.row(i * nodes + j) =
          0.25 * (old(low_i, low_j) + old(low_i, high_j) + old(high_i, low_j) + old(high_i, high_j));
    }
  }
  return result;
}

/// What the coarser grid found, and random columns for what it may have missed.
Block fine_start(const Block& coarse_functions, Index coarse_cells) {
  Block start =
      random_block((2 * coarse_cells + 1) * (2 * coarse_cells + 1), coarse_functions.cols() + guard_columns, 0);
  start.leftCols(coarse_functions.cols()) = refined(coarse_functions, coarse_cells);
  return start;
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
  if (count < 1) {
    throw InvalidArgument(fmt::format("count: {} is wrong; it must be >= 1", count));
  }
  if (!(accuracy > 0.0)) {
    throw InvalidArgument(fmt::format("accuracy: {:g} is wrong; it must be > 0", accuracy));
  }
  if (cells < 8 || cells % 2 != 0) {
    throw InvalidArgument(fmt::format("cells: {} is wrong; it must be even and >= 8", cells));
  }
  if (max_cells < cells) {
    throw InvalidArgument(fmt::format("max_cells: {} is wrong; cells is {}", max_cells, cells));
  }
  const Index coarse_nodes = (cells / 2 + 1) * (cells / 2 + 1);
  if (8 * (count + guard_columns) > coarse_nodes) {
    throw InvalidArgument(
        fmt::format("count: {} is too many for a grid of {} x {} cells; take more cells", count, cells / 2, cells / 2));
  }
}

PlanarReference planar_reference(const LogDensity& log_target, const Box& box, const PlanarOptions& options) {
  const ExecutionScope scope(options.execution);
  options.validate();
  box.validate(2);
  const PlanarGrid first = make_planar_grid(log_target, box, options.cells / 2);
  const Block random = random_block(first.root_mass.size(), options.count + guard_columns, 0);
  GridPairs coarse = solve_grid(first, box, random, options);
  for (Index cells = options.cells;; cells *= 2) {
    const PlanarGrid grid = make_planar_grid(log_target, box, cells);
    GridPairs fine = solve_grid(grid, box, fine_start(coarse.functions, cells / 2), options);
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
  if (points.cols() != 2) {
    throw InvalidArgument(fmt::format("points: {} coordinates are wrong; the reference has 2", points.cols()));
  }
  if (!points.allFinite()) {
    throw InvalidArgument("points: some coordinate is NaN or infinite; mend or remove that row");
  }
  Block values = Block::Zero(points.rows(), eigenfunctions.cols());
  for (Index p = 0; p < points.rows(); ++p) {
    const Stencil along_x(x, points(p, 0)), along_y(y, points(p, 1));
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        values.row(p) += along_x.weights[i] * along_y.weights[j] *
                         eigenfunctions.row((along_x.first + Index(i)) * y.size() + along_y.first + Index(j));
      }
    }
  }
  return values;
}

}  // namespace itomap
