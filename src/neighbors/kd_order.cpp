#include "neighbors/kd_order.hpp"

#include <algorithm>
#include <limits>

namespace itomap::detail {
namespace {

constexpr Index large_run = 64;
constexpr Index small_run = 16;
constexpr Index quad = 4;

Index widest_axis(PointsView points, std::span<const std::int32_t> members) {
  Index widest = 0;
  double most = -1.0;
  for (Index a = 0; a < points.cols(); ++a) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::int32_t i : members) {
      low = std::min(low, points(i, a));
      high = std::max(high, points(i, a));
    }
    if (high - low > most) {
      most = high - low;
      widest = a;
    }
  }
  return widest;
}

/// The multiple of `run` nearest to the middle of [first, first + count), inside of it.
Index split_position(Index first, Index count, Index run) {
  const Index below = (first + count / 2) / run * run;
  return below > first ? below : below + run;
}

}  // namespace

void kd_order(PointsView points, Index first, std::span<std::int32_t> members) {
  const Index count = Index(members.size());
  if (count <= quad) {
    std::sort(members.begin(), members.end());
    return;
  }
  const Index left = split_position(first, count,
                                    count > large_run   ? large_run
                                    : count > small_run ? small_run
                                                        : quad) -
                     first;
  const Index axis = widest_axis(points, members);
  std::nth_element(members.begin(), members.begin() + left, members.end(), [&](std::int32_t i, std::int32_t j) {
    return points(i, axis) != points(j, axis) ? points(i, axis) < points(j, axis) : i < j;
  });
  kd_order(points, first, members.first(std::size_t(left)));
  kd_order(points, first + left, members.subspan(std::size_t(left)));
}

}  // namespace itomap::detail
