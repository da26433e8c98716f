// Every point is a candidate: right where neighbourhoods hold a fair share of the data, and in many dimensions.
#pragma once

#include "neighbors/neighbor_search.hpp"

namespace itomap {

class BruteForce final : public NeighborSearch {
 public:
  explicit BruteForce(Index points) : points_(points) {}
  void candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const override;
  std::string_view name() const override { return "brute force"; }

 private:
  Index points_;
};

}  // namespace itomap
