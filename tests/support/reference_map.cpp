#include "support/reference_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace itomap::reference {
namespace {

/// Weights below this, relative to the largest, are raised to it.
constexpr double smallest_log_weight = -600.0;

Period period_of(const MapDefinition& map) { return map.kernel.period; }

Index neighbours_of(const VariableBandwidth& bandwidth, Index points) {
  const auto root = Index(std::ceil(std::sqrt(double(points))));
  return std::min(points, bandwidth.neighbours > 0 ? bandwidth.neighbours : std::max<Index>(8, root));
}

Matrix part(const Matrix& all, const std::vector<Index>& rows) { return all(rows, rows); }

Index root_of(std::vector<Index>& parent, Index i) {
  while (parent[std::size_t(i)] != i) {
    i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
  }
  return i;
}

void unite(std::vector<Index>& parent, Index i, Index j) {
  const Index a = root_of(parent, i);
  const Index b = root_of(parent, j);
  parent[std::size_t(std::max(a, b))] = std::min(a, b);
}

LogKernel kernel_of(const MapDefinition& map, const Choices& choices, const Vector& rho) {
  const Period period = period_of(map);
  const double cutoff = map.kernel.cutoff;
  if (!map.local()) {
    return variable_kernel(map.points.view(), rho, choices.epsilon, period, cutoff);
  }
  return local_kernel(map.points.view(), map.drift, *map.diffusion, choices.epsilon * rho.cwiseAbs2(), map.eta, period,
                      cutoff);
}

/// The kernel of the density estimate: its row sums over rho^d are q.
LogKernel density_kernel(const MapDefinition& map, const Choices& choices, const Vector& rho, const LogKernel& own) {
  if (!map.local()) {
    return own;
  }
  const Points still = Points::Zero(map.points.rows(), map.points.cols());
  return local_kernel(map.points.view(), still, Diffusion::constant(1.0), choices.density_epsilon * rho.cwiseAbs2(),
                      0.0, period_of(map), map.kernel.cutoff);
}

std::vector<Index> everybody(Index m) {
  std::vector<Index> all(static_cast<std::size_t>(m));
  std::iota(all.begin(), all.end(), Index(0));
  return all;
}

/// Those that see somebody and are more than N in their component.
std::vector<Index> survivors(const Graph& graph, Index dimension) {
  std::vector<Index> members(std::size_t(graph.components), 0);
  for (const Index c : graph.component) {
    ++members[std::size_t(c)];
  }
  std::vector<Index> result;
  for (Index i = 0; i < Index(graph.component.size()); ++i) {
    const bool alone = std::find(graph.isolated.begin(), graph.isolated.end(), i) != graph.isolated.end();
    if (!alone && members[std::size_t(graph.component[std::size_t(i)])] > dimension) {
      result.push_back(i);
    }
  }
  return result;
}

void drop_isolated(const Matrix& exponents, double cutoff, Index dimension, WholeMap& whole) {
  while (true) {
    const auto left = survivors(whole.graph, dimension);
    if (left.size() == whole.kept.size() || left.size() < 2) {
      return;
    }
    std::vector<Index> kept;
    for (const Index i : left) {
      kept.push_back(whole.kept[std::size_t(i)]);
    }
    whole.kept = kept;
    const double call = whole.graph.closest_call;
    whole.graph = cutoff_graph(part(exponents, kept), cutoff);
    whole.graph.closest_call = std::min(whole.graph.closest_call, call);
  }
}

Vector log_weights(const MapDefinition& map, const Choices& choices, const WholeMap& whole) {
  const Vector& log_q = whole.log_density;
  Vector log_d = Vector::Zero(log_q.size());
  if (map.method == Method::DiffusionMap) {
    log_d = -map.alpha * log_q;
  } else if (map.method == Method::TargetMeasureMap) {
    const Vector log_pi = map.log_target(whole.kept);
    log_d = 0.5 * (log_pi.array() - log_pi.maxCoeff()) - log_q.array();
  } else if (map.method == Method::LocalKernelMap) {
    log_d = -log_q;
  }
  if (!map.local() && whole.bandwidth.size() > 0) {
    log_d.array() -= 0.5 * double(choices.bandwidth_dimension + 2) * whole.bandwidth.array().log();
  }
  log_d.array() -= log_d.maxCoeff();
  log_d = log_d.cwiseMax(smallest_log_weight);
  for (const Index i : choices.emptied_points) {
    log_d[i] = -std::numeric_limits<double>::infinity();
  }
  return log_d;
}

void set_markov(WholeMap& whole) {
  const Matrix weighted = whole.log_kernel.rowwise() + whole.log_weights.transpose();
  whole.log_row_sums = log_row_sums(weighted);
  whole.markov = (weighted.colwise() - whole.log_row_sums).array().exp();
  if (whole.pace.size() > 0) {
    for (Index i = 0; i < whole.markov.rows(); ++i) {
      if (whole.pace[i] == 0.0) {
        whole.markov.row(i).setZero();  // may hold 0 / 0
      }
    }
    whole.markov = whole.pace.asDiagonal() * whole.markov;
    whole.markov.diagonal().array() += 1.0 - whole.pace.array();
  }
}

}  // namespace

Graph cutoff_graph(const Matrix& exponents, double cutoff) {
  const Index m = exponents.rows();
  const double limit = -std::log(cutoff);
  std::vector<Index> parent = everybody(m);
  Graph graph;
  graph.closest_call = std::numeric_limits<double>::infinity();
  Index entries = 0;
  for (Index i = 0; i < m; ++i) {
    const double nearest = exponents.row(i).minCoeff();
    const bool stranded = nearest > limit;
    const double own_limit = stranded ? nearest + limit : limit;
    Index neighbours = 0;
    for (Index j = 0; j < m; ++j) {
      graph.closest_call = std::min(graph.closest_call, std::abs(exponents(i, j) - own_limit));
      if (exponents(i, j) <= own_limit) {
        unite(parent, i, j);
        ++neighbours;
      }
    }
    const bool alone = neighbours == 1 && exponents(i, i) <= own_limit;
    entries += neighbours;
    if (alone || stranded) {
      graph.isolated.push_back(i);
    }
    if (stranded) {
      graph.stranded.push_back(i);
    }
  }
  graph.mean_neighbours = double(entries) / double(m);
  graph.component.resize(std::size_t(m));
  for (Index i = 0; i < m; ++i) {
    const Index root = root_of(parent, i);
    graph.component[std::size_t(i)] = root == i ? graph.components++ : graph.component[std::size_t(root)];
  }
  return graph;
}

WholeMap whole_map(const MapDefinition& map, const Choices& choices) {
  const Index m = map.points.rows();
  const bool fixed = map.bandwidth.fixed();
  const Vector rho =
      fixed ? Vector(Vector::Ones(m))
            : bandwidth(map.points.view(), map.bandwidth.strength, neighbours_of(map.bandwidth, m), period_of(map));
  WholeMap whole;
  whole.kernel = kernel_of(map, choices, rho);
  const LogKernel density = density_kernel(map, choices, rho, whole.kernel);
  whole.kept = everybody(m);
  whole.graph = cutoff_graph(whole.kernel.exponents, map.kernel.cutoff);
  if (map.drop_isolated) {
    drop_isolated(whole.kernel.exponents, map.kernel.cutoff, map.points.cols(), whole);
  }
  const LogKernel& k = whole.kernel;
  whole.kernel = {part(k.values, whole.kept), part(k.exponents, whole.kept), part(k.cut, whole.kept)};
  whole.log_kernel = choices.cut ? whole.kernel.cut : whole.kernel.values;
  whole.density_kernel = part(choices.cut ? density.cut : density.values, whole.kept);
  whole.log_density = log_row_sums(whole.density_kernel);
  if (!fixed) {
    whole.bandwidth = rho(whole.kept);
    whole.pace = (whole.bandwidth.minCoeff() / whole.bandwidth.array()).square();
    whole.log_density.array() -= double(choices.bandwidth_dimension) * whole.bandwidth.array().log();
  }
  if (!choices.still_points.empty()) {
    whole.pace = fixed ? Vector(Vector::Ones(whole.log_density.size())) : whole.pace;
    whole.pace(choices.still_points).setZero();
  }
  whole.log_weights = log_weights(map, choices, whole);
  set_markov(whole);
  return whole;
}

}  // namespace itomap::reference
