// Blocks of vectors as the loops over pairs want them: in the kernel's order, filled up with zeros to whole tiles of
// points, and cut into slabs of 1, 4, 8 or 12 vectors side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

class Slabs {
 public:
  /// Zeros for `width` vectors at `points` points.
  Slabs(Index points, Index width);

  Index count() const { return Index(slabs_.size()); }
  int width(Index slab) const { return slabs_[std::size_t(slab)].width; }
  /// The values of a slab at a point and all after it.
  double* at(Index slab, Index point) { return data_.data() + offset(slab, point); }
  const double* at(Index slab, Index point) const { return data_.data() + offset(slab, point); }

  /// Takes row order[k] of x for point k.
  void gather(PointsView x, const std::vector<std::int32_t>& order);
  /// Writes point k to row order[k] of y.
  void scatter(const std::vector<std::int32_t>& order, Eigen::Ref<Block> y) const;

 private:
  struct Slab {
    Index first;  // vector
    int used;     // vectors
    int width;    // with those that fill up
    Index offset;
  };

  Index offset(Index slab, Index point) const {
    const Slab& s = slabs_[std::size_t(slab)];
    return s.offset + point * s.width;
  }

  std::vector<Slab> slabs_;
  AlignedVector data_;
};

}  // namespace itomap::detail
