#include "reproduce/stream_function.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "itomap/core/error.hpp"

namespace itomap::reproduce {
namespace {

/// Sets that are merged one pair at a time.
class DisjointSets {
 public:
  explicit DisjointSets(Index size) : parent_(static_cast<std::size_t>(size)), sets_(size) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  Index sets() const { return sets_; }
  Index root(Index i) {
    while (parent(i) != i) {
      i = parent(i) = parent(parent(i));
    }
    return i;
  }
  void unite(Index i, Index j) {
    const Index a = root(i), b = root(j);
    if (a == b) {
      return;
    }
    parent(std::max(a, b)) = std::min(a, b);
    --sets_;
  }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }

  std::vector<Index> parent_;
  Index sets_;
};

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

bool in_body(const PlaneFlow& flow, Index i) { return flow.body[static_cast<std::size_t>(i)]; }

bool at_edge(const PlaneFlow& flow, Index i) {
  const Index column = i % flow.columns;
  const Index row = i / flow.columns;
  return column == 0 || column == flow.columns - 1 || row == 0 || row == flow.rows - 1;
}

/// Normal equations of s_j - s_i = rise over all pairs of neighbours in the fluid.
struct NormalEquations {
  Triplets matrix;
  Vector right;

  void add(Index i, Index j, double rise) {
    matrix.emplace_back(i, i, 1.0);
    matrix.emplace_back(j, j, 1.0);
    matrix.emplace_back(i, j, -1.0);
    matrix.emplace_back(j, i, -1.0);
    right[i] -= rise;
    right[j] += rise;
  }
};

NormalEquations normal_equations(const PlaneFlow& flow) {
  NormalEquations equations{{}, Vector::Zero(flow.size())};
  const auto mean = [&](Index i, Index j, Index c) { return 0.5 * (flow.velocity(i, c) + flow.velocity(j, c)); };
  for (Index i = 0; i < flow.size(); ++i) {
    if (in_body(flow, i)) {
      continue;
    }
    const Index right = i + 1;
    const Index above = i + flow.columns;
    if (right % flow.columns != 0 && !in_body(flow, right)) {
      equations.add(i, right, -flow.step * mean(i, right, 1));
    }
    if (above < flow.size() && !in_body(flow, above)) {
      equations.add(i, above, flow.step * mean(i, above, 0));
    }
  }
  return equations;
}

/// s is free up to a constant, and not defined in the body: both get an equation s = 0.
void fix_constants(const PlaneFlow& flow, Triplets& matrix) {
  bool first = true;
  for (Index i = 0; i < flow.size(); ++i) {
    if (in_body(flow, i) || std::exchange(first, false)) {
      matrix.emplace_back(i, i, 1.0);
    }
  }
}

/// Every fluid point must be tied to the first one, or the equations are singular.
void check_connected(const PlaneFlow& flow, const Triplets& matrix) {
  DisjointSets fluid(flow.size());
  for (const auto& entry : matrix) {
    fluid.unite(entry.row(), entry.col());
  }
  const auto body = std::count(flow.body.begin(), flow.body.end(), true);
  if (fluid.sets() != body + 1) {
    throw NumericalError("stream function: the body divides the window, so the flow around it is not determined");
  }
}

/// Floods a landscape from below and notes, for each hollow, what it holds when its water first reaches the edge of the
/// window.
class Flood {
 public:
  Flood(const PlaneFlow& flow, Vector height)
      : flow_(flow),
        height_(std::move(height)),
        sets_(flow.size()),
        wet_(static_cast<std::size_t>(flow.size())),
        pools_(static_cast<std::size_t>(flow.size())) {
    for (Index i = 0; i < flow.size(); ++i) {
      if (!in_body(flow, i)) {
        rounding_ = std::max(rounding_, 1e-9 * std::abs(height_[i]));
      }
    }
  }

  /// The largest closed pool; area 0 if there is none.
  Vortex largest() {
    for (const Index i : points_by_height()) {
      open_pool(i);
      for (const Index j : neighbours(i)) {
        if (wet_[static_cast<std::size_t>(j)]) {
          join(i, j);
        }
      }
    }
    return best_;
  }

 private:
  struct Pool {
    bool open = false;  // reaches the edge of the window
    Index lowest = 0;
    std::vector<Index> members;
  };

  Pool& pool(Index i) { return pools_[static_cast<std::size_t>(sets_.root(i))]; }

  std::vector<Index> points_by_height() const {
    std::vector<Index> order;
    for (Index i = 0; i < flow_.size(); ++i) {
      if (!in_body(flow_, i)) {
        order.push_back(i);
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return height_[a] < height_[b]; });
    return order;
  }

  /// The four neighbours that exist.
  std::vector<Index> neighbours(Index i) const {
    std::vector<Index> found;
    const Index column = i % flow_.columns;
    if (column > 0) {
      found.push_back(i - 1);
    }
    if (column + 1 < flow_.columns) {
      found.push_back(i + 1);
    }
    if (i >= flow_.columns) {
      found.push_back(i - flow_.columns);
    }
    if (i + flow_.columns < flow_.size()) {
      found.push_back(i + flow_.columns);
    }
    return found;
  }

  void open_pool(Index i) {
    wet_[static_cast<std::size_t>(i)] = true;
    pools_[static_cast<std::size_t>(i)] = {at_edge(flow_, i), i, {i}};
  }

  void join(Index i, Index j) {
    if (sets_.root(i) == sets_.root(j)) {
      return;
    }
    Pool a = std::move(pool(i));
    Pool b = std::move(pool(j));
    if (a.open != b.open) {
      note(a.open ? b : a, height_[i]);
    }
    sets_.unite(i, j);
    if (a.members.size() < b.members.size()) {
      std::swap(a, b);
    }
    a.open = a.open || b.open;
    if (height_[b.lowest] < height_[a.lowest]) {
      a.lowest = b.lowest;
    }
    a.members.insert(a.members.end(), b.members.begin(), b.members.end());
    pool(i) = std::move(a);
  }

  void note(const Pool& closed, double level) {
    const auto area = static_cast<Index>(closed.members.size());
    if (area <= best_.area || level - height_[closed.lowest] < rounding_) {
      return;
    }
    best_ = {closed.lowest, true, level, std::vector<bool>(static_cast<std::size_t>(flow_.size())), area};
    for (const Index i : closed.members) {
      best_.inside[static_cast<std::size_t>(i)] = true;
    }
  }

  const PlaneFlow& flow_;
  Vector height_;
  double rounding_ = 0.0;  // hollows that are less deep come from rounding, where the flow lines are straight
  DisjointSets sets_;
  std::vector<bool> wet_;
  std::vector<Pool> pools_;  // at the root of each set
  Vortex best_;
};

using Place = Eigen::RowVector2d;

/// The slowest point downstream of both centres that is in neither vortex.
Index point_at_rest(const PlaneFlow& flow, const std::vector<Vortex>& vortices) {
  double behind = flow.points(0, 0);
  for (const auto& vortex : vortices) {
    behind = std::max(behind, flow.points(vortex.centre, 0));
  }
  Index slowest = -1;
  for (Index i = 0; i < flow.size(); ++i) {
    const bool turning =
        std::ranges::any_of(vortices, [&](const Vortex& v) { return bool(v.inside[static_cast<std::size_t>(i)]); });
    if (turning || in_body(flow, i) || flow.points(i, 0) <= behind) {
      continue;
    }
    if (slowest < 0 || flow.velocity.row(i).norm() < flow.velocity.row(slowest).norm()) {
      slowest = i;
    }
  }
  if (slowest < 0) {
    throw InvalidArgument("wake: the vortices fill the window; give a larger window");
  }
  return slowest;
}

/// The lower left point of the cell that holds `place`; -1 outside the window and where the cell touches the body.
Index cell_of(const PlaneFlow& flow, const Place& place) {
  const Place cells = (place - flow.points.row(0)) / flow.step;
  const auto column = static_cast<Index>(std::floor(cells.x()));
  const auto row = static_cast<Index>(std::floor(cells.y()));
  if (column < 0 || row < 0 || column + 1 >= flow.columns || row + 1 >= flow.rows) {
    return -1;
  }
  const Index i = row * flow.columns + column;
  for (const Index corner : {i, i + 1, i + flow.columns, i + flow.columns + 1}) {
    if (in_body(flow, corner)) {
      return -1;
    }
  }
  return i;
}

/// Against the flow, unit length; 0 where there is no velocity. Linear between the points of the grid.
Place direction(const PlaneFlow& flow, const Place& place) {
  const Index i = cell_of(flow, place);
  if (i < 0) {
    return Place::Zero();
  }
  const Place share = (place - flow.points.row(i)) / flow.step;
  const Place below = (1.0 - share.x()) * flow.velocity.row(i) + share.x() * flow.velocity.row(i + 1);
  const Place above =
      (1.0 - share.x()) * flow.velocity.row(i + flow.columns) + share.x() * flow.velocity.row(i + flow.columns + 1);
  const Place velocity = (1.0 - share.y()) * below + share.y() * above;
  return velocity.norm() > 0.0 ? Place(-velocity / velocity.norm()) : Place::Zero();
}

/// The largest x of the body; without one, that of the window.
double rear(const PlaneFlow& flow) {
  double x = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < flow.size(); ++i) {
    if (in_body(flow, i)) {
      x = std::max(x, flow.points(i, 0));
    }
  }
  return std::isfinite(x) ? x : flow.points.col(0).maxCoeff();
}

/// The flow line through `place`, followed against the flow until it meets the body or the edge or turns back
/// downstream. Midpoint steps of a quarter of the grid's.
Points upstream(const PlaneFlow& flow, Place place) {
  const double stride = 0.25 * flow.step;
  const Index most = 8 * (flow.columns + flow.rows);
  std::vector<Place> line{place};
  std::size_t foremost = 0;  // in the line: how far upstream it came
  while (static_cast<Index>(line.size()) < most && place.x() < line[foremost].x() + 2.0 * flow.step) {
    const Place half = place + 0.5 * stride * direction(flow, place);
    const Place forward = direction(flow, half);
    place += stride * forward;
    if (forward.isZero() || half == line.back() || cell_of(flow, place) < 0) {
      break;
    }
    line.push_back(place);
    if (place.x() < line[foremost].x()) {
      foremost = line.size() - 1;
    }
  }
  line.resize(foremost + 1);
  place = line.back();
  // Next to the body the grid does not resolve the layer that separates: straight on to the base.
  for (Place next = place - Place(stride, 0.0); next.x() > rear(flow); next.x() -= stride) {
    line.push_back(next);
  }
  Points points(static_cast<Index>(line.size()), 2);
  for (Index k = 0; k < points.rows(); ++k) {
    points.row(k) = line[static_cast<std::size_t>(k)];
  }
  return points;
}

}  // namespace

Vector stream_function(const PlaneFlow& flow) {
  auto equations = normal_equations(flow);
  check_connected(flow, equations.matrix);
  fix_constants(flow, equations.matrix);
  Sparse matrix(flow.size(), flow.size());
  matrix.setFromTriplets(equations.matrix.begin(), equations.matrix.end());
  const Eigen::SimplicialLDLT<Sparse> factors(matrix);
  Vector stream = factors.solve(equations.right);
  for (Index i = 0; i < flow.size(); ++i) {
    if (in_body(flow, i)) {
      stream[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return stream;
}

std::vector<Vortex> largest_vortices(const PlaneFlow& flow, VectorView stream) {
  std::vector<Vortex> found{Flood(flow, stream).largest(), Flood(flow, -stream).largest()};
  found[1].clockwise = false;
  found[1].level = -found[1].level;
  if (found[0].area == 0 || found[1].area == 0) {
    throw InvalidArgument("wake: no closed flow lines of either sense in the window; give a larger window");
  }
  return found;
}

SeparatingStreamline separating_streamline(const PlaneFlow& flow, const std::vector<Vortex>& vortices) {
  SeparatingStreamline line;
  line.rest = point_at_rest(flow, vortices);
  const Place start = flow.points.row(line.rest);
  line.upper = upstream(flow, start + Place(0.0, flow.step));
  line.lower = upstream(flow, start - Place(0.0, flow.step));
  return line;
}

std::vector<bool> recirculation_zone(const PlaneFlow& flow, const SeparatingStreamline& line) {
  Vector low = Vector::Constant(flow.columns, std::numeric_limits<double>::infinity());
  Vector high = -low;
  for (const auto* branch : {&line.upper, &line.lower}) {
    for (Index k = 0; k < branch->rows(); ++k) {
      const auto column = std::lround(((*branch)(k, 0) - flow.points(0, 0)) / flow.step);
      low[column] = std::min(low[column], (*branch)(k, 1));
      high[column] = std::max(high[column], (*branch)(k, 1));
    }
  }
  std::vector<bool> zone(flow.body.size());
  for (Index i = 0; i < flow.size(); ++i) {
    const double y = flow.points(i, 1);
    const Index column = i % flow.columns;
    zone[static_cast<std::size_t>(i)] = !in_body(flow, i) && y > low[column] && y < high[column];
  }
  return zone;
}

double overlap(const std::vector<bool>& a, const std::vector<bool>& b) {
  Index both = 0;
  Index either = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += a[i] && b[i];
    either += a[i] || b[i];
  }
  return either == 0 ? 0.0 : double(both) / double(either);
}

}  // namespace itomap::reproduce
