#include "generator/traps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/dense_algebra.hpp"
#include "generator/assemble.hpp"

namespace itomap::detail {
namespace {

/// The mean over fewer points has a statistical error above one half: such a row says little.
constexpr double fewest_in_reach = 4.0;
/// A stay of more steps, or as many returns, is an artefact. So many points would spread them to one each, at the
/// statistical error of 0.3 beyond which modes are flagged.
constexpr double longest_stay = 11.0;
/// Where a larger share of the points holds the chain they are no exception: epsilon is too small for the data.
constexpr double largest_share = 0.1;
constexpr Index most_candidates = 2000;
constexpr int most_rounds = 20;

/// (sum_j w_j)^2 / sum_j w_j^2 of the weights w_j = K_ij d_j, or less: entries are at most 1, unless the kernel reaches
/// around a period, and then more by as many times. Where the kernel's noise is a small part of the square of the row
/// sum it decides nothing; the other rows are computed from their own entries.
Vector points_in_reach(const Generator& g) {
  constexpr double small_part = 0.01;
  const Vector x = g.right_weights.cwiseAbs2();
  const Vector sums = g.row_sums.cwiseAbs2();
  Block squares(g.size(), 1);
  g.kernel->apply(x, squares);
  const double noise = g.kernel->accuracy() * x.norm();
  std::vector<Index> doubtful;
  for (Index i = 0; i < g.size(); ++i) {
    if (small_part * sums[i] < noise) {
      doubtful.push_back(i);
    }
  }
  if (!doubtful.empty()) {
    Block exact(Index(doubtful.size()), 1);
    g.kernel->apply_rows(doubtful, x, exact);
    squares(doubtful, Eigen::all) = exact;
  }
  return sums.cwiseQuotient(squares.col(0).cwiseMax(std::numeric_limits<double>::min()));
}

bool moves(const Generator& g, Index i) { return g.pace.size() == 0 || g.pace[i] > 0.0; }

std::vector<Index> poorly_connected(const Generator& g) {
  const Vector reach = points_in_reach(g);
  std::vector<Index> points;
  for (Index i = 0; i < g.size(); ++i) {
    if (reach[i] < fewest_in_reach && moves(g, i)) {
      points.push_back(i);
    }
  }
  return points;
}

/// (K diag(d) f) at the points for functions on them.
Block products_among(const Generator& g, const std::vector<Index>& points, PointsView f) {
  Block all = Block::Zero(g.size(), f.cols());
  all(points, Eigen::all) = g.right_weights(points).asDiagonal() * f;
  Block products(Index(points.size()), f.cols());
  g.kernel->apply_rows(points, all, products);
  return products;
}

/// The largest subset from every point of which the chain stays in it for another step so surely that it takes longer
/// than `longest_stay` to leave.
std::vector<Index> holding(const Generator& g, std::vector<Index> points) {
  while (!points.empty()) {
    const Vector sums = g.row_sums(points);
    const Vector staying = products_among(g, points, Vector::Ones(sums.size())).cwiseQuotient(sums);
    std::vector<Index> holders;
    for (Index k = 0; k < staying.size(); ++k) {
      if (staying[k] > 1.0 - 1.0 / longest_stay) {
        holders.push_back(points[std::size_t(k)]);
      }
    }
    if (holders.size() == points.size()) {
      break;
    }
    points = std::move(holders);
  }
  return points;
}

/// Without the components that consist of such points and of traps alone: who sees nobody else is isolated.
std::vector<Index> with_others(const Generator& g, const std::vector<Index>& points) {
  std::vector<Index> others(std::size_t(g.diagnostics.components), 0);
  for (Index i = 0; i < g.size(); ++i) {
    others[std::size_t(g.component[std::size_t(i)])] += g.right_weights[i] > 0.0 ? 1 : 0;
  }
  for (const Index i : points) {
    others[std::size_t(g.component[std::size_t(i)])] -= g.right_weights[i] > 0.0 ? 1 : 0;
  }
  std::vector<Index> result;
  std::copy_if(points.begin(), points.end(), std::back_inserter(result),
               [&](Index i) { return others[std::size_t(g.component[std::size_t(i)])] > 0; });
  return result;
}

/// P restricted to the points.
Matrix chain_among(const Generator& g, const std::vector<Index>& points) {
  constexpr Index width = 16;
  const auto n = Index(points.size());
  Matrix chain(n, n);
  for (Index first = 0; first < n; first += width) {
    const Index columns = std::min(width, n - first);
    chain.middleCols(first, columns) = products_among(g, points, Matrix::Identity(n, n).middleCols(first, columns));
  }
  return g.row_sums(points).cwiseInverse().asDiagonal() * chain;
}

/// Those to which the chain comes back again and again before it leaves all of them, not those that lead there.
std::vector<Index> traps_among(const Generator& g, const std::vector<Index>& points) {
  // Without end where nobody leaves: a little loss keeps the number of visits finite.
  constexpr double lossless = 1.0 - 1e-6;
  const auto n = Index(points.size());
  const Vector visits = inverted(Matrix::Identity(n, n) - lossless * chain_among(g, points)).diagonal();
  std::vector<Index> traps;
  for (Index k = 0; k < n; ++k) {
    if (g.right_weights[points[std::size_t(k)]] > 0.0 && visits[k] > longest_stay) {
      traps.push_back(points[std::size_t(k)]);
    }
  }
  return traps;
}

/// Makes the point stay where it is, a component of its own that nobody enters.
void isolate(Generator& g, Index point) {
  if (g.pace.size() == 0) {
    g.pace = Vector::Ones(g.size());
  }
  g.pace[point] = 0.0;
  g.right_weights[point] = 0.0;
  g.component[std::size_t(point)] = g.diagnostics.components++;
  ++g.diagnostics.isolated_points;
}

/// Those that see nothing but traps, and those that then see nothing but these.
void isolate_blind_points(Generator& g) {
  bool all_see = false;
  while (!all_see) {
    all_see = true;
    const Vector sums = accurate_product(*g.kernel, g.right_weights).values;
    for (Index i = 0; i < g.size(); ++i) {
      if (sums[i] <= 0.0 && moves(g, i)) {
        isolate(g, i);
        all_see = false;
      }
    }
  }
}

/// Components in the order of their first points, without those that have lost all of theirs.
void number_components(Generator& g) {
  std::vector<Index> number(std::size_t(g.diagnostics.components), -1);
  g.diagnostics.components = 0;
  for (Index& c : g.component) {
    Index& mine = number[std::size_t(c)];
    mine = mine < 0 ? g.diagnostics.components++ : mine;
    c = mine;
  }
}

void warn(Generator& g, const std::vector<Index>& traps, Index isolated) {
  g.diagnostics.warnings.push_back(fmt::format(
      "{} point(s) hold the process, with fewer than {:g} points in reach (rows {}): it would be trapped there, so it "
      "is kept from entering them; check drift and diffusion there, or raise epsilon",
      traps.size(), fewest_in_reach, list_points(traps, g.kept)));
  if (isolated > 0) {
    g.diagnostics.warnings.push_back(
        fmt::format("{} point(s) see nothing but those and are left aside, with weight 0", isolated));
  }
}

}  // namespace

void empty_traps(Generator& g) {
  const Index isolated_before = g.diagnostics.isolated_points;
  std::vector<Index> all;
  for (int round = 0; round < most_rounds; ++round) {
    const auto holders = with_others(g, holding(g, poorly_connected(g)));
    if (Index(holders.size()) > std::min(Index(largest_share * double(g.size())), most_candidates)) {
      g.diagnostics.warnings.push_back(
          fmt::format("{} of {} points hold the process, with fewer than {:g} points in reach: there are too few "
                      "points for this epsilon, "
                      "or the Euler step leaves them; change epsilon",
                      holders.size(), g.size(), fewest_in_reach));
      break;
    }
    const auto found = holders.empty() ? holders : traps_among(g, holders);
    if (found.empty()) {
      break;
    }
    g.right_weights(found).setZero();
    all.insert(all.end(), found.begin(), found.end());
    isolate_blind_points(g);
    number_components(g);
    set_row_sums(g);
  }
  std::sort(all.begin(), all.end());
  g.diagnostics.trap_points = Index(all.size());
  if (!all.empty()) {
    warn(g, all, g.diagnostics.isolated_points - isolated_before);
  }
}

}  // namespace itomap::detail
