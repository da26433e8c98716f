#include "dynamics/planar_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

/// Where pi is below e^-1000 of its maximum it is taken as that: sqrt(pi) = 1e-217 leaves room for factors that are not
/// 1, and no eigenvalue can tell.
constexpr double lowest_log_target = -1000.0;

/// Half at the ends, one between them.
double share(Index i, Index nodes) { return i == 0 || i == nodes - 1 ? 0.5 : 1.0; }

class GridBuilder {
 public:
  GridBuilder(const LogDensity& log_target, const Box& box, Index cells) : log_target_(log_target) {
    grid_.x = Vector::LinSpaced(cells + 1, box.low[0], box.high[0]);
    grid_.y = Vector::LinSpaced(cells + 1, box.low[1], box.high[1]);
    hx_ = grid_.x[1] - grid_.x[0];
    hy_ = grid_.y[1] - grid_.y[0];
  }

  PlanarGrid build() {
    fill_nodes();
    fill_edges();
    return std::move(grid_);
  }

 private:
  Index node(Index i, Index j) const { return i * grid_.y.size() + j; }
  double area(Index i, Index j) const { return share(i, grid_.x.size()) * share(j, grid_.y.size()); }

  double log_target(double x, double y) const {
    const double value = log_target_(std::array{x, y});
    if (!std::isfinite(value)) {
      throw InvalidArgument(fmt::format("log_target: {:g} at ({:g}, {:g}); it must be finite in the box", value, x, y));
    }
    return value;
  }

  void fill_nodes() {
    Vector& values = grid_.log_target;
    values.resize(grid_.x.size() * grid_.y.size());
    grid_.root_mass.resize(values.size());
    for (Index i = 0; i < grid_.x.size(); ++i) {
      for (Index j = 0; j < grid_.y.size(); ++j) {
        values[node(i, j)] = log_target(grid_.x[i], grid_.y[j]);
      }
    }
    highest_ = values.maxCoeff();
    values = (values.array() - highest_).max(lowest_log_target);
    for (Index i = 0; i < grid_.x.size(); ++i) {
      for (Index j = 0; j < grid_.y.size(); ++j) {
        grid_.root_mass[node(i, j)] = std::sqrt(area(i, j)) * std::exp(0.5 * values[node(i, j)]);
      }
    }
  }

  void fill_edges() {
    diagonal_.setZero(grid_.log_target.size());
    const Index nx = grid_.x.size(), ny = grid_.y.size();
    for (Index i = 0; i < nx; ++i) {
      for (Index j = 0; j < ny; ++j) {
        if (i + 1 < nx) {
          add_edge(i, j, i + 1, j, share(j, ny) / (hx_ * hx_));
        }
        if (j + 1 < ny) {
          add_edge(i, j, i, j + 1, share(i, nx) / (hy_ * hy_));
        }
      }
    }
    for (Index k = 0; k < diagonal_.size(); ++k) {
      entries_.emplace_back(int(k), int(k), diagonal_[k]);
    }
    grid_.minus_generator.resize(diagonal_.size(), diagonal_.size());
    grid_.minus_generator.setFromTriplets(entries_.begin(), entries_.end());
  }

  void add_edge(Index i, Index j, Index other_i, Index other_j, double conductance) {
    const Index a = node(i, j), b = node(other_i, other_j);
    const double wa = area(i, j), wb = area(other_i, other_j);
    const double la = grid_.log_target[a], lb = grid_.log_target[b];
    const double half_way = log_target(0.5 * (grid_.x[i] + grid_.x[other_i]), 0.5 * (grid_.y[j] + grid_.y[other_j]));
    const double middle = std::max(half_way - highest_, lowest_log_target);
    diagonal_[a] += conductance * std::exp(middle - la) / wa;
    diagonal_[b] += conductance * std::exp(middle - lb) / wb;
    entries_.emplace_back(int(b), int(a), -conductance * std::exp(middle - 0.5 * (la + lb)) / std::sqrt(wa * wb));
  }

  const LogDensity& log_target_;
  PlanarGrid grid_;
  double hx_ = 0.0, hy_ = 0.0, highest_ = 0.0;
  Vector diagonal_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

PlanarGrid make_planar_grid(const LogDensity& log_target, const Box& box, Index cells) {
  return GridBuilder(log_target, box, cells).build();
}

}  // namespace itomap::detail
