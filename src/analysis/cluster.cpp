#include "itomap/analysis/cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/belongs.hpp"
#include "analysis/cluster_functions.hpp"
#include "itomap/analysis/kmeans.hpp"
#include "itomap/analysis/pcca.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

Block indicators(const std::vector<Index>& labels, Index sets) {
  Block memberships = Block::Zero(Index(labels.size()), sets);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    memberships(Index(i), labels[i]) = 1.0;
  }
  return memberships;
}

void hard_sets(const Block& functions, const Map& map, const Spectrum& spectrum, const ClusterOptions& options,
               Clustering& result) {
  Kmeans found =
      kmeans(functions, options.weighted ? spectrum.stationary : Vector(),
             {.sets = options.sets, .restarts = options.restarts, .seed = options.seed, .execution = map.execution()});
  if (!found.converged) {
    result.warnings.emplace_back("k-means has not converged; the sets may not be the best");
  }
  result.memberships = indicators(found.labels, options.sets);
  result.labels = std::move(found.labels);
  result.inertia = found.inertia;
}

void soft_sets(const Block& functions, const Map& map, const Spectrum& spectrum, Clustering& result) {
  Pcca found = pcca(functions, spectrum.stationary, {.execution = map.execution()});
  if (!found.converged) {
    result.warnings.emplace_back(
        "the crispness was still rising when the search ended; the memberships are valid but may be softer than need "
        "be");
  }
  result.memberships = std::move(found.memberships);
  result.labels = std::move(found.labels);
  result.crispness = found.crispness;
}

void count_points(Index sets, Clustering& result) {
  result.points.assign(std::size_t(sets), 0);
  for (const Index label : result.labels) {
    ++result.points[label];
  }
  std::vector<Index> empty;
  for (Index k = 0; k < sets; ++k) {
    if (result.points[k] == 0) {
      empty.push_back(k);
    }
  }
  if (!empty.empty()) {
    result.warnings.push_back(
        fmt::format("set(s) {} are the first choice of no point; ask for fewer sets", fmt::join(empty, ", ")));
  }
}

}  // namespace

const char* to_string(ClusterMethod method) { return method == ClusterMethod::Pcca ? "pcca" : "kmeans"; }

Clustering cluster(const Map& map, const Spectrum& spectrum, const ClusterOptions& options) {
  check_belongs(map, spectrum);
  Clustering result;
  result.method = options.method.value_or(map.reversible() ? ClusterMethod::Pcca : ClusterMethod::Kmeans);
  ChosenFunctions chosen = choose_functions(spectrum, options, result.method);
  const Block functions = real_functions(spectrum, chosen.indices);
  result.functions = std::move(chosen.indices);
  result.warnings = std::move(chosen.warnings);
  if (result.method == ClusterMethod::Pcca) {
    soft_sets(functions, map, spectrum, result);
  } else {
    hard_sets(functions, map, spectrum, options, result);
  }
  count_points(options.sets, result);
  result.rates = set_rates(map, spectrum.stationary, result.memberships);
  return result;
}

Clustering cluster(const Map& map, const Spectrum& spectrum, Index sets) {
  return cluster(map, spectrum, ClusterOptions{.sets = sets});
}

}  // namespace itomap
