// Points divided into K groups around their means.
//
// k-means minimises the weighted sum of squared distances of the points to the centre of their group,
//
//   sum_i w_i |x_i - c_label(i)|^2,
//
// by Lloyd's iteration from several starts (k-means++: each further centre is drawn with probability w_i times the
// squared distance to the nearest one so far), and the best of them is returned. Groups are numbered by descending
// weight, so that the numbers do not depend on the start.
//
// Contract: coordinates m x d, weights m numbers >= 0 or none (all equal). The same seed gives the same bits for any
// number of threads. An iteration costs m K d multiplications and no memory beyond 2 m numbers.
//
//   const auto groups = itomap::kmeans(spectrum.eigenfunctions.re.middleCols(1, 2), spectrum.stationary, {.sets = 3});
//   groups.labels[0];     // group of the first point, 0 is the heaviest
#pragma once

#include <cstdint>
#include <vector>

#include "itomap/core/execution.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

struct KmeansOptions {
  Index sets = 2;              ///< K, from 1 to m
  Index restarts = 10;         ///< starts; the best result counts
  Index max_iterations = 300;  ///< of each start
  double tolerance = 1e-9;     ///< a start has converged when an iteration lowers the sum by no more than this share
  std::uint64_t seed = 0;
  Execution execution{};

  void validate(Index points) const;
};

struct Kmeans {
  std::vector<Index> labels;  ///< group of each point: the one whose centre is nearest
  Block centres;              ///< K x d
  double inertia = 0.0;       ///< the sum that was minimised
  Index iterations = 0;       ///< of the best start
  bool converged = false;     ///< of the best start
};

/// Throws InvalidArgument if fewer than K different points have weight.
Kmeans kmeans(PointsView coordinates, VectorView weights, const KmeansOptions& options);

}  // namespace itomap
