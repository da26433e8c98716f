// Every point is a candidate, unless the box around its run of 64 lies out of reach: right where neighbourhoods hold a
// fair share of the data, and in many dimensions.
#pragma once

#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

class BruteForce final : public NeighborSearch {
 public:
  explicit BruteForce(PointsView points);
  void candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const override;
  std::string_view name() const override { return "brute force"; }

 private:
  bool within(const double* centre, const Reach& reach, Index run) const;

  Index points_;
  Points low_, high_;  // the box of each run
};

}  // namespace itomap::detail
