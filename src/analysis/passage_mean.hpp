// The mean first passage time from one set to another, and what stands behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// Where a passage begins and ends, in the words of messages: "source", "sink".
struct Direction {
  std::string_view from;
  std::string_view to;
};

struct PassageMean {
  double time = 0.0;  ///< infinite if nobody can arrive, NaN if those who can have no weight
  Index stuck = 0;    ///< points of the set from which the other cannot be reached
  std::vector<std::string> warnings{};
};

/// The mean of `times` over the points of `set` that can arrive, which are those of finite time, by their weights.
/// `inverse_rate` is what the mean is compared with in messages.
PassageMean mean_passage(Direction direction, const std::vector<Index>& set, const Vector& weights, const Vector& times,
                         double inverse_rate);

}  // namespace itomap::detail
