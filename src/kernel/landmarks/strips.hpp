// Places in strips of eight that lie close together, and which strips come near a box.
#pragma once

#include <vector>

#include "core/aligned.hpp"
#include "itomap/core/types.hpp"
#include "kernel/landmarks/strip_loops.hpp"

namespace itomap::detail {

class Strips {
 public:
  /// Of the rows of `places`, in this order; the last strip is filled up with places that nothing comes near.
  explicit Strips(const Points& places);

  Index count() const { return low_.rows(); }
  /// Places, with those that only fill up.
  Index padded() const { return count() * strip_width; }
  Index dimension() const { return low_.cols(); }
  /// Coordinates of a strip, one after the other, eight numbers each.
  const double* strip(Index s) const { return coordinates_.data() + s * dimension() * strip_width; }
  std::size_t memory() const { return (coordinates_.size() + std::size_t(2 * low_.size())) * sizeof(double); }

  /// Replaces `found` by the strips that have a place within the squared distance of the points' box, or may have.
  void near(const Points& points, double squared_distance, std::vector<Index>& found) const;
  void all(std::vector<Index>& found) const;

 private:
  AlignedVector coordinates_;
  Points low_, high_;  // the box of each
};

}  // namespace itomap::detail
