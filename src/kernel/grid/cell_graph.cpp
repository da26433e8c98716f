#include "kernel/grid/cell_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "kernel/graph_builder.hpp"

namespace itomap::detail {
namespace {

using CellIndex = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const CellIndex& c) const {
    return std::size_t(c[0]) * 0x9E3779B97F4A7C15U ^ std::size_t(c[1]) * 0xC2B2AE3D27D4EB4FU ^
           std::size_t(c[2]) * 0x165667B19E3779F9U;
  }
};

/// Sources by cell, in whitened coordinates where the kernel is exp(-|z|^2).
class Cells {
 public:
  struct Cell {
    Index begin = 0;
    Index end = 0;
    bool linked = false;    // all its points are in one component
    bool expanded = false;  // and so is everything in whole cells around a place in it
  };

  Cells(const Points& z, const std::vector<double>& period, double reach)
      : dimension_(z.cols()), reach_(reach), points_(z.rows(), z.cols()), members_(std::size_t(z.rows())) {
    const double side = reach / (2.0 * std::sqrt(double(dimension_)));
    for (Index a = 0; a < dimension_; ++a) {
      period_[a] = period.empty() ? 0.0 : period[std::size_t(a)];
      around_[a] = period_[a] > 0.0 ? std::int64_t(std::ceil(period_[a] / side)) : 0;
      side_[a] = period_[a] > 0.0 ? period_[a] / double(around_[a]) : side;
      steps_[a] = std::int64_t(std::ceil(reach / side_[a]));
      steps_[a] = period_[a] > 0.0 ? std::min(steps_[a], (around_[a] + 1) / 2) : steps_[a];  // once around
    }
    fill(z);
  }

  double reach() const { return reach_; }
  const double* point(Index k) const { return points_.row(k).data(); }
  Index member(Index k) const { return members_[std::size_t(k)]; }

  /// Calls body(cell, farthest) for the occupied cells within reach of t, nearest index first along each axis; farthest
  /// bounds the squared distance of the cell's points. Stops when body returns false.
  template <class Body>
  void visit(const double* t, const Body& body) {
    const CellIndex home = index(t);
    CellIndex step{0, 0, 0};
    for (step[0] = -steps_[0]; step[0] <= steps_[0]; ++step[0]) {
      for (step[1] = -steps_[1]; step[1] <= steps_[1]; ++step[1]) {
        for (step[2] = -steps_[2]; step[2] <= steps_[2]; ++step[2]) {
          if (!visit_one(t, home, step, body)) {
            return;
          }
        }
      }
    }
  }

  /// The cell that holds t, if any point is in it.
  Cell* home(const double* t) {
    const auto found = cells_.find(index(t));
    return found == cells_.end() ? nullptr : &found->second;
  }

  /// Finds out which cells lie in one component.
  void mark_linked(UnionFind& sets) {
    for (auto& [key, cell] : cells_) {
      const Index root = sets.root(member(cell.begin));
      cell.linked = true;
      for (Index k = cell.begin; k < cell.end && cell.linked; ++k) {
        cell.linked = sets.root(member(k)) == root;
      }
    }
  }

  /// Squared distance to the nearest image.
  double distance(const double* t, const double* z) const {
    double sum = 0.0;
    for (Index a = 0; a < dimension_; ++a) {
      double delta = t[a] - z[a];
      if (period_[a] > 0.0) {
        delta -= period_[a] * std::round(delta / period_[a]);
      }
      sum += delta * delta;
    }
    return sum;
  }

 private:
  CellIndex index(const double* z) const {
    CellIndex c{0, 0, 0};
    for (Index a = 0; a < dimension_; ++a) {
      c[a] = std::int64_t(std::floor(z[a] / side_[a]));
      c[a] = around_[a] > 0 ? (c[a] % around_[a] + around_[a]) % around_[a] : c[a];
    }
    return c;
  }

  void fill(const Points& z) {
    std::vector<CellIndex> of(std::size_t(z.rows()));
    for (Index i = 0; i < z.rows(); ++i) {
      of[std::size_t(i)] = index(z.row(i).data());
      ++cells_[of[std::size_t(i)]].end;
    }
    Index begin = 0;
    for (auto& [key, cell] : cells_) {
      const Index count = cell.end;
      cell.begin = cell.end = begin;
      begin += count;
    }
    for (Index i = 0; i < z.rows(); ++i) {
      const Index k = cells_[of[std::size_t(i)]].end++;
      points_.row(k) = z.row(i);
      members_[std::size_t(k)] = std::int32_t(i);
    }
  }

  template <class Body>
  bool visit_one(const double* t, const CellIndex& home, const CellIndex& step, const Body& body) {
    CellIndex c = home;
    double nearest = 0.0;
    double farthest = 0.0;
    for (Index a = 0; a < dimension_; ++a) {
      // The cell's edges as seen from t, before it is wrapped around.
      const double base = (std::floor(t[a] / side_[a]) + double(step[a])) * side_[a] - t[a];
      const double below = std::abs(base);
      const double above = std::abs(base + side_[a]);
      const double near = base <= 0.0 && base + side_[a] >= 0.0 ? 0.0 : std::min(below, above);
      nearest += near * near;
      farthest += std::max(below, above) * std::max(below, above);
      c[a] += step[a];
      c[a] = around_[a] > 0 ? (c[a] % around_[a] + around_[a]) % around_[a] : c[a];
    }
    if (nearest > reach_ * reach_) {
      return true;
    }
    const auto found = cells_.find(c);
    return found == cells_.end() || body(found->second, farthest);
  }

  Index dimension_;
  double reach_;
  std::array<double, 3> period_{};
  std::array<double, 3> side_{1.0, 1.0, 1.0};
  std::array<std::int64_t, 3> around_{};  // cells along a period
  std::array<std::int64_t, 3> steps_{};
  std::unordered_map<CellIndex, Cell, CellHash> cells_;
  Points points_;
  std::vector<std::int32_t> members_;
};

/// Rows of which one went through all whole cells in its ball do it for the others in the same cell: every ball around
/// a place in a cell holds that cell.
void link_whole_cells(Cells& cells, const Points& targets, UnionFind& sets) {
  const double limit = cells.reach() * cells.reach();
  const auto link_cell = [&](Cells::Cell& cell, Index i) {
    for (Index k = cell.begin; k < (cell.linked ? cell.begin + 1 : cell.end); ++k) {
      sets.unite(i, cells.member(k));
    }
    cell.linked = true;
  };
  for (Index i = 0; i < targets.rows(); ++i) {
    const double* t = targets.row(i).data();
    Cells::Cell* home = cells.home(t);
    if (home != nullptr) {
      link_cell(*home, i);
      if (home->expanded) {
        continue;
      }
      home->expanded = true;
    }
    cells.visit(t, [&](Cells::Cell& cell, double farthest) {
      if (farthest <= limit) {
        link_cell(cell, i);
      }
      return true;
    });
  }
}

/// Links point i with all points of `cells` within reach of t.
void link_all(Cells& cells, const double* t, Index i, UnionFind& sets) {
  const double limit = cells.reach() * cells.reach();
  cells.visit(t, [&](const Cells::Cell& cell, double) {
    if (cell.linked && sets.root(i) == sets.root(cells.member(cell.begin))) {
      return true;
    }
    for (Index k = cell.begin; k < cell.end; ++k) {
      if (cells.distance(t, cells.point(k)) <= limit) {
        sets.unite(i, cells.member(k));
        if (cell.linked) {
          break;
        }
      }
    }
    return sets.sets() > 1;
  });
}

Index largest_set(UnionFind& sets, Index m) {
  std::vector<Index> members(std::size_t(m), 0);
  for (Index i = 0; i < m; ++i) {
    ++members[std::size_t(sets.root(i))];
  }
  return Index(std::max_element(members.begin(), members.end()) - members.begin());
}

/// What whole cells left open: links between the largest component and the others, and among these.
void link_the_rest(Cells& cells, const Points& sources, const Points& targets, const std::vector<double>& period,
                   bool symmetric, UnionFind& sets) {
  if (sets.sets() == 1) {
    return;
  }
  const Index giant = largest_set(sets, targets.rows());
  cells.mark_linked(sets);
  std::optional<Cells> landings;
  if (!symmetric) {
    landings.emplace(targets, period, cells.reach());
    landings->mark_linked(sets);
  }
  for (Index i = 0; i < targets.rows() && sets.sets() > 1; ++i) {
    if (sets.root(i) != sets.root(giant)) {
      link_all(cells, targets.row(i).data(), i, sets);
      if (landings) {
        link_all(*landings, sources.row(i).data(), i, sets);
      }
    }
  }
}

struct RowContent {
  bool anything = false;
  bool another = false;  // than the point itself
};

RowContent row_content(Cells& cells, const double* t, Index i) {
  const double limit = cells.reach() * cells.reach();
  RowContent row;
  const auto look = [&](const Cells::Cell& cell) {
    for (Index k = cell.begin; k < cell.end && !row.another; ++k) {
      if (cells.distance(t, cells.point(k)) <= limit) {
        row.anything = true;
        row.another = cells.member(k) != i;
      }
    }
    return !row.another;
  };
  const Cells::Cell* home = cells.home(t);
  if (home == nullptr || look(*home)) {
    cells.visit(t, [&](const Cells::Cell& cell, double) { return look(cell); });
  }
  return row;
}

/// Labels in the order of the caller's points.
KernelGraph labelled(UnionFind& sets, const KernelGeometry& geometry) {
  const Index m = geometry.size();
  KernelGraph graph;
  std::vector<Index> label(static_cast<std::size_t>(m), -1);
  for (Index point = 0; point < m; ++point) {
    Index& own = label[std::size_t(sets.root(geometry.position(point)))];
    own = own < 0 ? graph.components++ : own;
    graph.component.push_back(own);
  }
  return graph;
}

}  // namespace

KernelGraph cell_graph(const KernelGeometry& geometry) {
  const Points sources = geometry.whitened_points();
  const Points targets = geometry.whitened_centres();
  Cells cells(sources, geometry.whitened_period(), std::sqrt(geometry.limit()));
  UnionFind sets(geometry.size());
  link_whole_cells(cells, targets, sets);
  link_the_rest(cells, sources, targets, geometry.whitened_period(), geometry.symmetric(), sets);
  std::vector<Index> isolated;
  std::vector<Index> stranded;
  for (Index i = 0; i < geometry.size(); ++i) {
    const RowContent row = row_content(cells, targets.row(i).data(), i);
    const Index point = geometry.order()[std::size_t(i)];
    if (!row.another) {
      isolated.push_back(point);
    }
    if (!row.anything) {
      stranded.push_back(point);
    }
  }
  // A stranded row jumps to the points nearest to where it lands, however far: those links count as well.
  KernelRow entries;
  for (const Index point : stranded) {
    const Index i = geometry.position(point);
    geometry.row(i, entries);
    for (const std::int32_t j : entries.columns) {
      sets.unite(i, j);
    }
  }
  KernelGraph graph = labelled(sets, geometry);
  std::sort(isolated.begin(), isolated.end());
  std::sort(stranded.begin(), stranded.end());
  graph.isolated = std::move(isolated);
  graph.stranded = std::move(stranded);
  return graph;
}

}  // namespace itomap::detail
