// Which landmarks a kernel has: centres of clusters of its points, as many as its error needs.
#pragma once

#include <vector>

#include "kernel/landmarks/landmark_error.hpp"
#include "kernel/landmarks/landmark_kernel.hpp"

namespace itomap::detail {

/// How many landmarks there may be where nobody says: with more, moments cost more than all else, quadratically.
constexpr Index most_landmarks = 2048;

/// Points that clusters are found among, for so many of them.
Index landmark_sample(Index landmarks);

/// `count` of the numbers below m, or all of them, evenly spread.
std::vector<Index> spread_evenly(Index m, Index count);

/// Gives the kernel its landmarks, and returns how far it is then off. `landmarks`: how many; 0: doubled until mean
/// squared steps are right to `tolerance`, or there are most_landmarks.
LandmarkError choose_landmarks(LandmarkKernel& kernel, Index landmarks, double tolerance);

// Points that landmarks do not see well enough become landmarks of their own.

/// A row is looked at if it sums to less: it might lack `missing_share`.
constexpr double doubtful_sum = 10.0;
/// Of its sum; its own entry, at least, is what is lacking.
constexpr double missing_share = 0.1;
/// A row that sums to less is not even seen by its own point.
constexpr double weakest_sum = 1.0;

/// Whether a row with this sum, F^-1 s, lacks so much.
bool lacks_too_much(double sum, const Vector& whitened);

/// How many may become landmarks beside so many clusters.
Index most_outliers(Index landmarks);

}  // namespace itomap::detail
