// How much of the invariant measure lies where the data ends: walls, at which the paper's weights are off by
// epsilon^1/2. A sample of points tells; for all of them, and for how far the walls are, see walls.hpp.
//
// The mean of a kernel over the data, m(x) = sum_j k(x, x_j) (x_j - x) / sum_j k(x, x_j), is drawn away from a wall. In
// units of the kernel's width, (4 epsilon)^1/2, it is e^{-b^2} / (pi^1/2 (1 + erf b)) for a wall b units away, 0.56 at
// the wall itself, whatever epsilon. A density q with a slope moves it too, by epsilon^1/2 grad log q, and curvature
// likewise: less and less as epsilon shrinks. The weight of the points where it is large tells the two apart: that of a
// layer along a wall goes like epsilon^1/2, twice as large at 4 epsilon and half as large at epsilon / 4; that of steep
// slopes changes faster. Wider kernels see more points, and are the surer sign; but where a large part of the data is
// displaced there is not much left to grow, and only narrower ones tell.
#pragma once

#include <vector>

#include "generator/generator.hpp"

namespace itomap::detail {

/// Some of the points, and which of them are displaced.
struct WallSample {
  std::vector<Index> rows;
  /// Among the rows, at 4 epsilon, epsilon, epsilon / 4, ..: as far down as a kernel sees enough points to tell.
  std::vector<std::vector<Index>> displaced;
  bool steep = false;  ///< no layer by any weights that will be asked for: no narrower kernels were looked at
};

struct WallWeight {
  /// Share of the invariant measure within 0.37 kernel widths of a wall, or of what looks like one.
  double weight = 0.0;
  bool layer = false;  ///< whether it changes with epsilon as a layer does, as far as one can tell

  bool walls() const;
};

/// Gives a map its sample and, in diagnostics, the number of points next to walls, unless it knows them better.
void look_for_walls(Generator& generator);

/// Empty for maps of distances, which have no directions.
WallSample sample_walls(const Generator& generator);

/// By the weights of all points of the map.
WallWeight wall_weight(const WallSample& sample, const Vector& weights);

}  // namespace itomap::detail
