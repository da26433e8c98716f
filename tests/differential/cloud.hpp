// Point clouds with the structure that breaks algorithms: clusters, bridges, far pairs, outliers, lattices, rings,
// duplicates, lines, constant and 0/1 columns, periods, large offsets, strange units.
#pragma once

#include <string>
#include <vector>

#include "support/samples.hpp"

namespace itomap::differential {

struct Cloud {
  std::string kind;  ///< in words, for messages
  Points points;
  std::vector<double> period;  ///< empty: none
  double spacing = 1.0;        ///< typical distance of a point to its few nearest
};

/// About m points; never fewer than four.
Cloud random_cloud(Index m, samples::Random& random);

}  // namespace itomap::differential
