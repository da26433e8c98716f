// Metastable, or almost invariant, sets of a process: where it stays for long before it moves on.
//
// Points of one set have nearly the same values of the slow eigenfunctions. K sets are found from K - 1 of them, by
// PCCA+ (soft memberships, for reversible maps the default) or by k-means (hard sets, the default for the others). For
// each set you get its stationary weight and its escape rate, from one product with the generator:
//
//   weight_S = <chi, 1>,   escape_rate_S = -<chi, L chi> / <chi, chi>,   <f, g> = sum_i phi_0(i) f(i) g(i)
//
// For hard sets, chi = 1_S, that is the stationary probability that leaves S in a unit of time over the weight of S. It
// counts every crossing of the border, those that turn back at once too, and grows like epsilon^-1/2 as the kernel
// shrinks; soft memberships have no sharp border and give the rate of true transitions. Between the sets
//
//   rate_matrix = <chi, chi>^-1 <chi, L chi>,   rows sum to 0
//
// is the generator of the model of K states, with its time scales. For PCCA+ they are those of the eigenfunctions used.
// Its entries off the diagonal may be slightly negative for soft sets.
//
// Contract: modes flagged as spurious are passed over, with a warning, unless `functions` names them. A complex pair
// enters as its real and its imaginary part and must be taken whole. Sets are numbered by descending weight. Cost: one
// product with a block of K vectors beside the clustering.
//
//   const auto sets = itomap::cluster(map, spectrum, 3);
//   sets.labels[i];  sets.memberships(i, 0);  sets.escape_rates[0];
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/generator/map.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

enum class ClusterMethod { Kmeans, Pcca };

/// "kmeans" or "pcca".
const char* to_string(ClusterMethod method);

struct ClusterOptions {
  Index sets = 2;                         ///< K, from 2 to the number of functions + 1
  std::optional<ClusterMethod> method{};  ///< unless given: Pcca for reversible maps, Kmeans for the others
  /// Indices n of the eigenfunctions to use, 1 or larger; unless given, the first K - 1 that are not spurious. Pcca
  /// needs exactly K - 1.
  std::vector<Index> functions{};
  /// Kmeans: points count by their stationary weight, so that the sets do not depend on how the points were sampled;
  /// false counts every point once.
  bool weighted = true;
  Index restarts = 10;     ///< Kmeans: starts
  std::uint64_t seed = 0;  ///< Kmeans: of the starts
};

/// What goes on between sets given by memberships.
struct SetRates {
  Vector weights;       ///< <chi, 1>
  Vector escape_rates;  ///< -<chi, L chi> / <chi, chi>; NaN for a set without weight
  Vector exit_times;    ///< 1 / escape_rates; infinite for closed sets
  Matrix rate_matrix;   ///< K x K
  Vector timescales;    ///< -1 / Re of the eigenvalues of rate_matrix but the first, descending; K - 1 values
};

/// Rates of any sets: memberships m x K, >= 0, rows that sum to 1. What is below the accuracy of a product counts as 0.
SetRates set_rates(const Map& map, VectorView stationary, PointsView memberships);

struct Clustering {
  ClusterMethod method = ClusterMethod::Pcca;
  std::vector<Index> functions;  ///< that were used
  std::vector<Index> labels;     ///< set of each point, 0 to K - 1; for Pcca that of the largest membership
  Block memberships;             ///< m x K; 0 or 1 for Kmeans
  std::vector<Index> points;     ///< number of points with each label
  SetRates rates;
  double crispness = 1.0;  ///< see analysis/pcca.hpp; 1 for hard sets
  double inertia = 0.0;    ///< Kmeans: see analysis/kmeans.hpp
  std::vector<std::string> warnings;

  /// A table of the sets, as the command line prints it.
  std::string report() const;
};

Clustering cluster(const Map& map, const Spectrum& spectrum, const ClusterOptions& options);
/// With all other options as they are.
Clustering cluster(const Map& map, const Spectrum& spectrum, Index sets);

}  // namespace itomap
