#include "kernel/grid/node_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

/// Calls body(stored grid point, unknown, count) for the runs of grid points that take part in the transform.
template <class Body>
void for_lines(const GridShape& shape, const Body& body) {
  const int last = shape.dimension - 1;
  const Index count = shape.size[std::size_t(last)];
  const Index rows = last > 0 ? shape.size[0] : 1;
  const Index layers = last > 1 ? shape.size[1] : 1;
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
      body(stored, (i * layers + j) * count, count);
    }
  }
}

}  // namespace

NodeGrid::NodeGrid(const GaussGrid& grid) : shape_(grid.shape()), half_(grid.shape(), square_roots(grid)) {
  for (int a = 0; a < shape_.dimension; ++a) {
    nodes_ *= shape_.size[std::size_t(a)];
  }
}

NodeGrid::Buffer NodeGrid::filtered(PointsView u, Index column) const {
  const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
  Buffer buffer = half_.zeros();
  auto* values = reinterpret_cast<double*>(buffer.get());
  for_lines(shape_, [&](Index stored, Index unknown, Index count) {
    for (Index k = 0; k < count; ++k) {
      std::copy_n(u.row(unknown + k).data() + column, lanes, values + (stored + k) * spread_lanes);
    }
  });
  half_.apply(buffer.get());
  return buffer;
}

void NodeGrid::take_filtered(std::complex<double>* grid, Index column, Eigen::Ref<Block> u) const {
  const Index lanes = std::min<Index>(spread_lanes, u.cols() - column);
  half_.apply(grid);
  const auto* values = reinterpret_cast<const double*>(grid);
  for_lines(shape_, [&](Index stored, Index unknown, Index count) {
    for (Index k = 0; k < count; ++k) {
      std::copy_n(values + (stored + k) * spread_lanes, lanes, u.row(unknown + k).data() + column);
    }
  });
}

}  // namespace itomap::detail
