#include "neighbors/brute_force.hpp"

namespace itomap {

void BruteForce::candidates(const double* /*centre*/, const Reach& /*reach*/, std::vector<IndexRange>& found) const {
  found.assign(1, {0, points_});
}

}  // namespace itomap
