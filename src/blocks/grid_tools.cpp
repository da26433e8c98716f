#include "blocks/grid_tools.hpp"

#include <numeric>
#include <utility>

namespace itomap::detail {

GridTools::GridTools(GaussGrid grid)
    : grid_(std::move(grid)), spreader_(grid_), nodes_(grid_), filter_(grid_.shape(), grid_.factors()) {}

SlabCloud GridTools::cloud(const Points& places) const {
  std::vector<std::int32_t> rows(std::size_t(places.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return {places, rows, grid_};
}

void GridTools::spread(const SlabCloud& cloud, const Vector& x, std::span<double> sums) const {
  const auto buffer = nodes_.zeros();
  const Block column = x;
  spreader_.spread(cloud, column, 0, buffer.get());
  const auto* values = reinterpret_cast<const double*>(buffer.get());
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k] += values[k * spread_lanes];
  }
}

GridField GridTools::field(const std::vector<std::span<const double>>& sums) const {
  GridField buffer = nodes_.zeros();
  auto* values = reinterpret_cast<double*>(buffer.get());
  for (std::size_t lane = 0; lane < sums.size(); ++lane) {
    for (std::size_t k = 0; k < sums[lane].size(); ++k) {
      values[k * spread_lanes + lane] = sums[lane][k];
    }
  }
  filter_.apply(buffer.get());
  spreader_.fill_margins(buffer.get());
  return buffer;
}

GridField GridTools::node_field(PointsView u, Index column) const {
  GridField buffer = nodes_.filtered(u, column);
  spreader_.fill_margins(buffer.get());
  return buffer;
}

Block GridTools::condensed(std::span<const double> sums) const {
  GridField buffer = nodes_.zeros();
  auto* values = reinterpret_cast<double*>(buffer.get());
  for (std::size_t k = 0; k < sums.size(); ++k) {
    values[k * spread_lanes] = sums[k];
  }
  Block u(nodes_.nodes(), 1);
  nodes_.take_filtered(buffer.get(), 0, u);
  return u;
}

void GridTools::gather(const SlabCloud& cloud, const GridField& field, Index column, Eigen::Ref<Block> y) const {
  spreader_.gather_filled(cloud, field.get(), column, y);
}

}  // namespace itomap::detail
