// Which frames of a block are near a query.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/torus.hpp"
#include "itomap/core/types.hpp"
#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

/// One frame, by its number, and its squared distance from a query. Orders by distance; equal ones by number.
struct NearFrame {
  double squared_distance;
  Index frame;

  friend bool operator<(const NearFrame& a, const NearFrame& b) {
    return a.squared_distance != b.squared_distance ? a.squared_distance < b.squared_distance : a.frame < b.frame;
  }
};

class FrameSearch {
 public:
  /// `typical` is a radius that most calls of `within` will ask for. Frames, folded into one period of the torus, and
  /// torus must outlive the search.
  FrameSearch(PointsView frames, double typical, const Torus& torus);

  /// Frames at most `radius` from `centre`, which may be infinite, ascending by number. Distances are those of the
  /// nearest images.
  void within(const double* centre, double radius, std::vector<NearFrame>& found) const;

 private:
  /// Where the search must look for frames near any image of the centre, a row each; none if that is everywhere.
  Points images(const double* centre, double radius) const;
  void append_within(const double* centre, double radius, IndexRange range, std::vector<NearFrame>& found) const;

  PointsView frames_;
  const Torus& torus_;
  std::unique_ptr<NeighborSearch> search_;
};

}  // namespace itomap::detail
