// Where landmarks lie: centres of clusters of the points, so spread that a kernel sees them everywhere.
//
// The first ones are points, drawn one strip after the other with the probability 1 - exp(-D^2), D the distance to the
// nearest so far in widths of the kernel: where one is near, another would tell nothing new, and farther than a few
// widths all are equally far (k-means++ in the metric of the kernel). A few of Lloyd's steps then move each to the mean
// of what it is nearest to, which takes out the noise of single points: measured in docs/theory/engines.md, so many
// centres are worth four to eight times as many random points.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// `count` centres of the rows of `sample`, in coordinates in which the kernel is exp(-|x - y|^2); fewer, if so many
/// different places are not there. In an order in which neighbours lie close together. The same bits for any number of
/// threads.
Points cluster_centres(const Points& sample, Index count);

/// The same places, so ordered.
Points in_spatial_order(const Points& places);

}  // namespace itomap::detail
