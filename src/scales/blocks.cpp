#include "scales/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace itomap::detail {
namespace {

/// The end of a run that is closest to a row.
Index nearest_end(const std::vector<Index>& run_ends, Index row) {
  const auto after = std::lower_bound(run_ends.begin(), run_ends.end(), row);
  if (after == run_ends.end()) {
    return run_ends.back();
  }
  const bool before_is_nearer = after != run_ends.begin() && row - *(after - 1) < *after - row;
  return before_is_nearer ? *(after - 1) : *after;
}

/// Blocks of whole runs.
std::vector<Index> gathered(const std::vector<Index>& run_ends, Index count) {
  std::vector<Index> ends;
  for (Index b = 1; b <= count; ++b) {
    const Index end = nearest_end(run_ends, b * run_ends.back() / count);
    if (end > (ends.empty() ? 0 : ends.back())) {
      ends.push_back(end);
    }
  }
  return ends;
}

/// Each run in pieces, as many as its share of all rows.
std::vector<Index> divided(const std::vector<Index>& run_ends, Index count) {
  std::vector<Index> ends;
  Index begin = 0;
  for (const Index end : run_ends) {
    const Index length = end - begin;
    const auto share = Index(std::lround(double(count) * double(length) / double(run_ends.back())));
    const Index pieces = std::max<Index>(share, 1);
    for (Index k = 1; k <= pieces; ++k) {
      ends.push_back(begin + k * length / pieces);
    }
    begin = end;
  }
  return ends;
}

}  // namespace

std::vector<Index> Blocks::without(Index b) const {
  std::vector<Index> kept;
  kept.reserve(std::size_t(rows() - (end(b) - begin(b))));
  for (Index i = 0; i < rows(); ++i) {
    if (i < begin(b) || i >= end(b)) {
      kept.push_back(i);
    }
  }
  return kept;
}

Blocks make_blocks(Index rows, Index wanted, const std::vector<Index>& run_ends, double least_rows) {
  const std::vector<Index> runs = run_ends.empty() ? std::vector<Index>{rows} : run_ends;
  const bool many_runs = Index(runs.size()) >= wanted;
  const auto most = Index(std::min(double(wanted), double(rows) / std::max(least_rows, 1.0)));
  // Whole runs are independent of each other, however long the memory of each.
  const Index count = std::max<Index>(many_runs ? wanted : most, 2);
  return Blocks(many_runs ? gathered(runs, count) : divided(runs, count));
}

}  // namespace itomap::detail
