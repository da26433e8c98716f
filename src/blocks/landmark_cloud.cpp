#include "blocks/landmark_cloud.hpp"

#include <algorithm>
#include <numeric>

#include "neighbors/kd_order.hpp"

namespace itomap::detail {

std::vector<std::int32_t> block_order(const Points& places) {
  std::vector<std::int32_t> order(std::size_t(places.rows()));
  std::iota(order.begin(), order.end(), 0);
  kd_order(places, 0, order);
  return order;
}

LandmarkCloud::LandmarkCloud(const LandmarkSet& set, const Points& places, const std::vector<std::int32_t>& order)
    : set_(set), order_(order), position_(order.size()) {
  for (Index begin = 0; begin < size(); begin += panel_rows) {
    const Index rows = std::min(panel_rows, size() - begin);
    const std::vector<std::int32_t> members(order_.begin() + begin, order_.begin() + begin + rows);
    StripPanel& panel = panels_.emplace_back();
    panel.begin = begin;
    set_.fill(places(members, Eigen::all), panel);
    for (Index p = begin; p < begin + rows; ++p) {
      position_[std::size_t(order_[std::size_t(p)])] = std::int32_t(p);
    }
  }
}

void LandmarkCloud::gather(const Vector& x, std::span<double> sums) const {
  InFours all(set_.strips().padded(), 1);
  double four[panel_rows * strip_vectors] = {};
  for (const StripPanel& panel : panels_) {
    for (Index p = 0; p < panel.rows; ++p) {
      four[p * strip_vectors] = x[order_[std::size_t(panel.begin + p)]];
    }
    gather_four(panel, four, 0, all);
  }
  for (Index l = 0; l < set_.size(); ++l) {
    sums[std::size_t(l)] += all.at(l, 0);
  }
}

Block LandmarkCloud::spread(const InFours& u, Index columns) const {
  Block y(size(), columns);
  double four[panel_rows * strip_vectors];
  for (const StripPanel& panel : panels_) {
    for (Index column = 0; column < columns; column += strip_vectors) {
      spread_four(panel, u, column, four);
      const Index width = std::min<Index>(strip_vectors, columns - column);
      for (Index p = 0; p < panel.rows; ++p) {
        std::copy_n(four + p * strip_vectors, width, y.row(order_[std::size_t(panel.begin + p)]).data() + column);
      }
    }
  }
  return y;
}

Vector LandmarkCloud::row(Index i) const {
  const Index p = position_[std::size_t(i)];
  return row_of(panels_[std::size_t(p / panel_rows)], p % panel_rows, set_.size());
}

void LandmarkCloud::scale(const Vector& factors) {
  double own[panel_rows];
  for (StripPanel& panel : panels_) {
    for (Index p = 0; p < panel.rows; ++p) {
      own[p] = factors[order_[std::size_t(panel.begin + p)]];
    }
    scale_rows_of(panel, own);
  }
}

void LandmarkCloud::add_moments(const Vector& factors, double* tiles) {
  scale(factors.cwiseSqrt());
  for (const StripPanel& panel : panels_) {
    add_tiles(panel, panel, true, set_.strips().count(), tiles);
  }
}

void LandmarkCloud::add_moments(const Vector& factors, const LandmarkCloud& targets, double* tiles) {
  scale(factors);
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    add_tiles(panels_[k], targets.panels_[k], false, set_.strips().count(), tiles);
  }
}

}  // namespace itomap::detail
