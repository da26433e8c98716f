// Keeping lists of ranges ascending and short.
#pragma once

#include <algorithm>
#include <vector>

#include "neighbors/neighbor_search.hpp"

namespace itomap::detail {

/// Appends a range that begins at or after the end of the last one, merging the two if they touch.
inline void append_range(std::vector<IndexRange>& ranges, IndexRange range) {
  if (!ranges.empty() && ranges.back().end == range.begin) {
    ranges.back().end = range.end;
  } else {
    ranges.push_back(range);
  }
}

/// Sorts disjoint ranges and merges those that touch.
inline void sort_ranges(std::vector<IndexRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](IndexRange a, IndexRange b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (std::size_t k = 1; k < ranges.size(); ++k) {
    if (ranges[kept].end == ranges[k].begin) {
      ranges[kept].end = ranges[k].end;
    } else {
      ranges[++kept] = ranges[k];
    }
  }
  if (!ranges.empty()) {
    ranges.resize(kept + 1);
  }
}

}  // namespace itomap::detail
