// Which points may lie near a place: candidates for a kernel row.
//
// A search returns every point inside a box around the centre and possibly some more, as ascending ranges of point
// numbers. Ranges, not lists, because points that are stored in spatial order come in long runs, over which distances
// vectorise. The caller computes the exact distances, so which search was used never shows in a result.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

struct IndexRange {
  Index begin;
  Index end;
};

/// Where to look: an axis-parallel box, and a ball that lies as close around the same set. Both contain it.
struct Reach {
  const double* half_widths;  ///< N values
  double radius;
};

class NeighborSearch {
 public:
  virtual ~NeighborSearch() = default;

  /// Replaces `found` by ascending, disjoint ranges that hold every point within `reach` of `centre`.
  virtual void candidates(const double* centre, const Reach& reach, std::vector<IndexRange>& found) const = 0;

  virtual std::string_view name() const = 0;
};

enum class SearchMethod { Auto, CellGrid, KdTree, BruteForce };

/// `points` must outlive the search. `cell` is the typical half width of a box; only the cell grid uses it.
std::unique_ptr<NeighborSearch> make_search(PointsView points, SearchMethod method, double cell);

/// The cell grid where it finds few candidates that are not near; otherwise a sample of queries is timed with each
/// search that fits, and the fastest returned.
std::unique_ptr<NeighborSearch> fastest_search(PointsView points, double cell);

/// An order of the points in which neighbours in space are mostly neighbours in memory. It depends on the points and
/// `cell` alone. order[new position] = old position.
std::vector<std::int32_t> spatial_order(PointsView points, double cell);

}  // namespace itomap::detail
