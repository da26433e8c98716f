#include "blocks/cell_counts.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/graph_builder.hpp"

namespace itomap::detail {

CellLattice::CellLattice(const WhitenedBox& box, double reach)
    : dimension_(box.low.size()), steps_(box.low.size() > 2 ? 3 : 5) {
  // The farthest place `steps` cells away is steps + 1 sides off along every axis.
  const double side = reach / (double(steps_ + 1) * std::sqrt(double(dimension_)));
  for (Index a = 0; a < dimension_; ++a) {
    const auto axis = std::size_t(a);
    const double period = box.period.empty() ? 0.0 : box.period[axis];
    periodic_[axis] = period > 0.0;
    low_[axis] = periodic_[axis] ? 0.0 : box.low[a];
    const double extent = periodic_[axis] ? period : box.high[a] - box.low[a];
    count_[axis] = std::max<Index>(1, Index(std::ceil(extent / side)));
    side_[axis] = periodic_[axis] ? period / double(count_[axis]) : side;
  }
}

Index CellLattice::cell(const double* z) const {
  Index number = 0;
  for (Index a = 0; a < dimension_; ++a) {
    const auto axis = std::size_t(a);
    const double place = std::floor((z[a] - low_[axis]) / side_[axis]);
    if (place < -1.0 || place > double(count_[axis])) {
      return -1;
    }
    number = number * count_[axis] + std::clamp<Index>(Index(place), 0, count_[axis] - 1);  // rounding at the ends
  }
  return number;
}

template <class Body>
void CellLattice::for_seen(Index cell, const Body& body) const {
  std::array<Index, 3> home{};
  for (Index a = dimension_; a-- > 0;) {
    home[std::size_t(a)] = cell % count_[std::size_t(a)];
    cell /= count_[std::size_t(a)];
  }
  std::array<std::vector<Index>, 3> seen;
  for (Index a = 0; a < dimension_; ++a) {
    const auto axis = std::size_t(a);
    for (Index step = -steps_; step <= steps_; ++step) {
      const Index to = home[axis] + step;
      const Index around = (to % count_[axis] + count_[axis]) % count_[axis];
      if ((to == around || periodic_[axis]) &&
          std::find(seen[axis].begin(), seen[axis].end(), around) == seen[axis].end()) {
        seen[axis].push_back(around);
      }
    }
  }
  for (std::size_t a = std::size_t(dimension_); a < 3; ++a) {
    seen[a] = {0};
  }
  for (const Index i : seen[0]) {
    for (const Index j : seen[1]) {
      for (const Index k : seen[2]) {
        body((i * count_[1] + j) * count_[2] + k);
      }
    }
  }
}

bool CellLattice::surely_connected(std::span<const double> points, std::span<const double> centres) const {
  UnionFind sets(cells());
  std::vector<bool> entered(std::size_t(cells()), false);
  bool all_see = true;
  for (Index c = 0; c < cells(); ++c) {
    if (centres[std::size_t(c)] == 0.0) {
      continue;
    }
    double in_sight = 0.0;
    Index first = -1;
    for_seen(c, [&](Index other) {
      if (points[std::size_t(other)] > 0.0) {
        in_sight += points[std::size_t(other)];
        entered[std::size_t(other)] = true;
        first = first < 0 ? other : first;
        sets.unite(first, other);
      }
    });
    all_see = all_see && in_sight > 1.0;
  }
  // Points of a cell that some row sees are connected by it; one that no row surely sees may be alone.
  Index root = -1;
  bool one = true;
  for (Index c = 0; c < cells(); ++c) {
    if (points[std::size_t(c)] > 0.0) {
      root = root < 0 ? sets.root(c) : root;
      one = one && entered[std::size_t(c)] && sets.root(c) == root;
    }
  }
  return all_see && one;
}

}  // namespace itomap::detail
