#include "generator/walls.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "generator/half_space.hpp"

namespace itomap::detail {
namespace {

constexpr int passes = 3;
/// More coordinates are replaced by those that vary most: second moments take their square.
constexpr Index most_axes = 12;

/// Coordinates that may end somewhere, about their middle, and the directions in which they are measured.
struct OpenCoordinates {
  Points values;  // m x n
  Matrix axes;    // n x N, orthonormal rows

  OpenCoordinates(PointsView points, const std::vector<double>& period) {
    std::vector<Index> open;
    for (Index a = 0; a < points.cols(); ++a) {
      if (period.empty() || period[std::size_t(a)] == 0.0) {
        open.push_back(a);
      }
    }
    axes = Matrix::Identity(points.cols(), points.cols())(open, Eigen::all);
    values = points(Eigen::all, open);
    values.rowwise() -= Eigen::RowVectorXd(values.colwise().mean());
    if (count() > most_axes) {
      const Matrix leading = symmetric_pairs(values.transpose() * values).vectors.rightCols(most_axes).transpose();
      axes = leading * axes;
      values *= leading.transpose();
    }
  }

  Index count() const { return axes.rows(); }
};

using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_axes, most_axes>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_axes, 1>;

/// What lies along the manifold, given the second moments of a kernel in units of a whole one's: 1 along it, at a wall
/// no less than 0.7, and next to nothing across it. Half way there is 0.3; steps of 3 P^2 - 2 P^3 then leave nothing
/// but 0 and 1. Part of a direction would not do: a wall looked farther away than it is, at any epsilon.
Small tangential(const Small& moments) {
  constexpr double t = 0.3;
  constexpr int most_steps = 4;
  constexpr double nearly = 1e-3;  // the next step squares it
  const Index n = moments.rows();
  const Small squares = moments * moments;
  Small projection = (1.0 + t * t) * Eigen::LDLT<Small>(squares + t * t * Small::Identity(n, n)).solve(squares);
  bool settled = false;
  for (int step = 0; step < most_steps && !settled; ++step) {
    const Small square = projection * projection;
    settled = (square - projection).norm() < nearly;
    projection = Small(3.0 * square - 2.0 * square * projection);
  }
  return projection;
}

class WallSearch {
 public:
  WallSearch(const KernelOperator& kernel, PointsView points, const std::vector<double>& period, double epsilon,
             const Vector& bandwidth)
      : kernel_(kernel),
        open_(points, period),
        squared_width_(bandwidth.size() > 0 ? Vector(4.0 * epsilon * bandwidth.cwiseAbs2())
                                            : Vector::Constant(points.rows(), 4.0 * epsilon)),
        walls_{.volume = Vector::Ones(points.rows()),
               .nearer = Vector::Constant(points.rows(), far_inside),
               .farther = Vector::Constant(points.rows(), far_inside),
               .direction = Points::Zero(points.rows(), points.cols()),
               .tangents = {}} {}

  Walls found() && {
    first_pass();
    for (int pass = 1; pass < passes; ++pass) {
      read_walls(weighted_sums());
    }
    return std::move(walls_);
  }

  Walls found(const Walls& whole, const std::vector<Index>& rows) && {
    walls_.tangents = whole.tangents(rows, Eigen::all);
    for (int pass = 0; pass < passes; ++pass) {
      read_walls(weighted_sums());
    }
    return std::move(walls_);
  }

 private:
  Index axes() const { return open_.count(); }

  /// K [v | v x | v |x|^2]
  Block weighted_sums() const {
    const Index n = axes();
    Block columns(walls_.volume.size(), n + 2);
    columns << Vector::Ones(walls_.volume.size()), open_.values, open_.values.rowwise().squaredNorm();
    columns.array().colwise() *= walls_.volume.array();
    return accurate_products(kernel_, columns).values;
  }

  /// K [1 | x | x x^T], from the diagonal on.
  Block second_sums() const {
    const Index n = axes();
    Block columns(open_.values.rows(), 1 + n + n * (n + 1) / 2);
    columns << Vector::Ones(open_.values.rows()), open_.values, Block::Zero(open_.values.rows(), n * (n + 1) / 2);
    Index k = 1 + n;
    for (Index a = 0; a < n; ++a) {
      for (Index b = a; b < n; ++b) {
        columns.col(k++) = open_.values.col(a).cwiseProduct(open_.values.col(b));
      }
    }
    return accurate_products(kernel_, columns).values;
  }

  /// With v = 1, whose second moments show the manifold.
  void first_pass() {
    const Index n = axes();
    const Block sums = second_sums();
    walls_.tangents.resize(sums.rows(), n * n);
    Block leading(sums.rows(), n + 2);
    leading.leftCols(n + 1) = sums.leftCols(n + 1);
    parallel_chunks(sums.rows(), row_chunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const Small projection = tangential(second_moments(sums.row(i), i));
        walls_.tangents.row(i) = Eigen::Map<const Eigen::RowVectorXd>(projection.data(), n * n);
        leading(i, n + 1) = trace(sums.row(i));
      }
    });
    read_walls(leading);
  }

  /// Of x x^T among second sums.
  template <class Row>
  double trace(const Row& sums) const {
    double sum = 0.0;
    Index k = 1 + axes();
    for (Index a = 0; a < axes(); ++a) {
      sum += sums[k];
      k += axes() - a;
    }
    return sum;
  }

  /// About the i-th point, in units of those of a whole kernel.
  template <class Row>
  Small second_moments(const Row& sums, Index i) const {
    const Index n = axes();
    const SmallVector x = open_.values.row(i).transpose();
    const SmallVector mean = sums.segment(1, n).transpose() / sums[0];
    Small moments(n, n);
    Index k = 1 + n;
    for (Index a = 0; a < n; ++a) {
      for (Index b = a; b < n; ++b, ++k) {
        moments(a, b) = moments(b, a) = sums[k] / sums[0] - x[a] * mean[b] - mean[a] * x[b] + x[a] * x[b];
      }
    }
    return moments / (0.5 * squared_width_[i]);
  }

  void read_walls(const Block& sums) {
    parallel_chunks(sums.rows(), row_chunk, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const double whole = axes() > 0 ? share_at(sums.row(i), i) : 1.0;
        walls_.volume[i] *= whole / sums(i, 0);
      }
    });
  }

  /// Of the kernel's mass that lies within the data; sets what is known of the walls there.
  template <class Row>
  double share_at(const Row& sums, Index i) {
    const Index n = axes();
    const Eigen::Map<const Small> projection(&walls_.tangents(i, 0), n, n);
    const SmallVector x = open_.values.row(i).transpose();
    const SmallVector mean = sums.segment(1, n).transpose() / sums[0];
    const SmallVector moved = projection * (mean - x);
    const double square_distance = sums[n + 1] / sums[0] - 2.0 * x.dot(mean) + x.squaredNorm();
    const double dimension = projection.trace();
    // n neighbours: the mean of t scatters by 1/4 a dimension under the square of the kernel.
    const double noise = 0.25 * dimension * std::exp2(-0.5 * dimension) * walls_.volume[i] / sums[0];
    const WallCorner corner = corner_of(moved.squaredNorm() / squared_width_[i] - noise,
                                        0.5 * dimension - square_distance / squared_width_[i]);
    walls_.nearer[i] = corner.nearer;
    walls_.farther[i] = corner.farther;
    if (const double length = moved.norm(); length > 0.0) {
      walls_.direction.row(i) = (open_.axes.transpose() * (moved / length)).transpose();
    }
    return share_inside(corner.nearer) * share_inside(corner.farther);
  }

  const KernelOperator& kernel_;
  OpenCoordinates open_;
  Vector squared_width_;
  Walls walls_;
};

}  // namespace

Index Walls::near() const { return (nearer.array() < 0.37).count(); }

Walls find_walls(const KernelOperator& kernel, PointsView points, const std::vector<double>& period, double epsilon,
                 const Vector& bandwidth) {
  return WallSearch(kernel, points, period, epsilon, bandwidth).found();
}

Walls find_walls(const KernelOperator& kernel, PointsView points, const std::vector<double>& period, double epsilon,
                 const Vector& bandwidth, const Walls& whole, const std::vector<Index>& rows) {
  return WallSearch(kernel, points, period, epsilon, bandwidth).found(whole, rows);
}

}  // namespace itomap::detail
