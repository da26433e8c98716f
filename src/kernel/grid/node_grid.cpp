#include "kernel/grid/node_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace itomap::detail {
namespace {

/// F^-1 D F is applied without the 1/size of the inverse: two of them make up for it once each.
std::array<std::vector<double>, 3> square_roots(const GaussGrid& grid) {
  auto factors = grid.factors();
  for (std::size_t a = 0; a < factors.size(); ++a) {
    for (double& factor : factors[a]) {
      factor = std::sqrt(factor / double(grid.shape().size[a]));
    }
  }
  return factors;
}

/// Numbers of the stored grid points that take part in the transform.
std::vector<Index> all_nodes(const GridShape& shape) {
  const int last = shape.dimension - 1;
  const Index rows = last > 0 ? shape.size[0] : 1;
  const Index layers = last > 1 ? shape.size[1] : 1;
  std::vector<Index> nodes;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < layers; ++j) {
      Index stored = 0;
      if (last > 0) {
        stored = i + shape.offset[0];
      }
      if (last > 1) {
        stored = stored * shape.stored[1] + j + shape.offset[1];
      }
      stored = stored * shape.stored[std::size_t(last)] + shape.offset[std::size_t(last)];
      for (Index k = 0; k < shape.size[std::size_t(last)]; ++k) {
        nodes.push_back(stored + k);
      }
    }
  }
  return nodes;
}

}  // namespace

NodeGrid::NodeGrid(const GaussGrid& grid, std::array<std::vector<double>, 3> factors)
    : shape_(grid.shape()), filter_(grid.shape(), std::move(factors)), stored_(all_nodes(shape_)) {}

NodeGrid::NodeGrid(const GaussGrid& grid) : NodeGrid(grid, square_roots(grid)) {}

NodeGrid::NodeGrid(const GaussGrid& grid, const SlabCloud& cloud, Index rows) : NodeGrid(grid, grid.factors()) {
  const Buffer covered = zeros();
  Spreader(grid).spread(cloud, Block::Ones(rows, 1), 0, covered.get());
  const auto* values = reinterpret_cast<const double*>(covered.get());
  std::erase_if(stored_, [&](Index node) { return values[node * spread_lanes] == 0.0; });
}

NodeGrid::Buffer NodeGrid::plain(PointsView u, Index column) const {
  const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
  Buffer buffer = filter_.zeros();
  auto* values = reinterpret_cast<double*>(buffer.get());
  for (Index n = 0; n < nodes(); ++n) {
    std::copy_n(u.data() + n * u.outerStride() + column, lanes, values + stored_[std::size_t(n)] * spread_lanes);
  }
  return buffer;
}

NodeGrid::Buffer NodeGrid::filtered(PointsView u, Index column) const {
  Buffer buffer = plain(u, column);
  filter_.apply(buffer.get());
  return buffer;
}

void NodeGrid::take(const std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const {
  const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
  const auto* values = reinterpret_cast<const double*>(grid);
  for (Index n = 0; n < nodes(); ++n) {
    std::copy_n(values + stored_[std::size_t(n)] * spread_lanes, lanes, u.data() + n * u.outerStride() + column);
  }
}

void NodeGrid::take_filtered(std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const {
  filter_.apply(grid);
  take(grid, column, u);
}

}  // namespace itomap::detail
