#include "reproduce/stream_function.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "itomap/core/error.hpp"
#include "kernel/union_find.hpp"

namespace itomap::cli {
namespace {

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
    if (in_body(flow, i)) continue;
    const Index right = i + 1;
    const Index above = i + flow.columns;
    if (right % flow.columns != 0 && !in_body(flow, right)) equations.add(i, right, -flow.step * mean(i, right, 1));
    if (above < flow.size() && !in_body(flow, above)) equations.add(i, above, flow.step * mean(i, above, 0));
  }
  return equations;
}

/// s is free up to a constant, and not defined in the body: both get an equation s = 0.
void fix_constants(const PlaneFlow& flow, Triplets& matrix) {
  bool first = true;
  for (Index i = 0; i < flow.size(); ++i)
    if (in_body(flow, i) || std::exchange(first, false)) matrix.emplace_back(i, i, 1.0);
}

/// Every fluid point must be tied to the first one, or the equations are singular.
void check_connected(const PlaneFlow& flow, const Triplets& matrix) {
  UnionFind fluid(flow.size());
  for (const auto& entry : matrix) fluid.unite(entry.row(), entry.col());
  const auto body = std::count(flow.body.begin(), flow.body.end(), true);
  if (fluid.sets() != body + 1)
    throw NumericalError("stream function: the body divides the window, so the flow around it is not determined");
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
    for (Index i = 0; i < flow.size(); ++i)
      if (!in_body(flow, i)) rounding_ = std::max(rounding_, 1e-9 * std::abs(height_[i]));
  }

  /// The largest closed pool; area 0 if there is none.
  Vortex largest() {
    for (const Index i : points_by_height()) {
      open_pool(i);
      for (const Index j : neighbours(i))
        if (wet_[static_cast<std::size_t>(j)]) join(i, j);
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
    for (Index i = 0; i < flow_.size(); ++i)
      if (!in_body(flow_, i)) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return height_[a] < height_[b]; });
    return order;
  }

  /// The four neighbours that exist.
  std::vector<Index> neighbours(Index i) const {
    std::vector<Index> found;
    const Index column = i % flow_.columns;
    if (column > 0) found.push_back(i - 1);
    if (column + 1 < flow_.columns) found.push_back(i + 1);
    if (i >= flow_.columns) found.push_back(i - flow_.columns);
    if (i + flow_.columns < flow_.size()) found.push_back(i + flow_.columns);
    return found;
  }

  void open_pool(Index i) {
    wet_[static_cast<std::size_t>(i)] = true;
    pools_[static_cast<std::size_t>(i)] = {at_edge(flow_, i), i, {i}};
  }

  void join(Index i, Index j) {
    if (sets_.root(i) == sets_.root(j)) return;
    Pool a = std::move(pool(i));
    Pool b = std::move(pool(j));
    if (a.open != b.open) note(a.open ? b : a, height_[i]);
    sets_.unite(i, j);
    if (a.members.size() < b.members.size()) std::swap(a, b);
    a.open = a.open || b.open;
    if (height_[b.lowest] < height_[a.lowest]) a.lowest = b.lowest;
    a.members.insert(a.members.end(), b.members.begin(), b.members.end());
    pool(i) = std::move(a);
  }

  void note(const Pool& closed, double level) {
    const auto area = static_cast<Index>(closed.members.size());
    if (area <= best_.area || level - height_[closed.lowest] < rounding_) return;
    best_ = {closed.lowest, true, level, std::vector<bool>(static_cast<std::size_t>(flow_.size())), area};
    for (const Index i : closed.members) best_.inside[static_cast<std::size_t>(i)] = true;
  }

  const PlaneFlow& flow_;
  Vector height_;
  double rounding_ = 0.0;  // hollows that are less deep come from rounding, where the flow lines are straight
  UnionFind sets_;
  std::vector<bool> wet_;
  std::vector<Pool> pools_;  // at the root of each set
  Vortex best_;
};

}  // namespace

Vector stream_function(const PlaneFlow& flow) {
  auto equations = normal_equations(flow);
  check_connected(flow, equations.matrix);
  fix_constants(flow, equations.matrix);
  Sparse matrix(flow.size(), flow.size());
  matrix.setFromTriplets(equations.matrix.begin(), equations.matrix.end());
  const Eigen::SimplicialLDLT<Sparse> factors(matrix);
  Vector stream = factors.solve(equations.right);
  for (Index i = 0; i < flow.size(); ++i)
    if (in_body(flow, i)) stream[i] = std::numeric_limits<double>::quiet_NaN();
  return stream;
}

std::vector<Vortex> largest_vortices(const PlaneFlow& flow, VectorView stream) {
  std::vector<Vortex> found{Flood(flow, stream).largest(), Flood(flow, -stream).largest()};
  found[1].clockwise = false;
  found[1].level = -found[1].level;
  if (found[0].area == 0 || found[1].area == 0)
    throw InvalidArgument("wake: no closed flow lines of either sense in the window; give a larger window");
  return found;
}

std::vector<bool> recirculation_zone(const std::vector<Vortex>& vortices) {
  auto zone = vortices.at(0).inside;
  for (const auto& vortex : vortices)
    for (std::size_t i = 0; i < zone.size(); ++i) zone[i] = zone[i] || vortex.inside[i];
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

}  // namespace itomap::cli
