#include "kernel/pairs/slabs.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "kernel/pairs/pair_kernels.hpp"

namespace itomap::detail {

Slabs::Slabs(Index points, Index width) {
  const Index padded = (points + tile_points - 1) / tile_points * tile_points;
  Index offset = 0;
  for (Index first = 0; first < width; first += slab_width) {
    const int used = int(std::min<Index>(slab_width, width - first));
    const int filled = width == 1 ? 1 : (used + 3) / 4 * 4;
    slabs_.push_back({first, used, filled, offset});
    offset += padded * filled;
  }
  data_.assign(std::size_t(offset), 0.0);
}

void Slabs::gather(PointsView x, const std::vector<std::int32_t>& order) {
  parallel_chunks(x.rows(), row_chunk, Operations{double(x.size())}, [&](Index begin, Index end) {
    for (const Slab& s : slabs_) {
      for (Index k = begin; k < end; ++k) {
        const double* from = x.row(order[std::size_t(k)]).data() + s.first;
        std::copy(from, from + s.used, data_.data() + s.offset + k * s.width);
      }
    }
  });
}

void Slabs::scatter(const std::vector<std::int32_t>& order, Eigen::Ref<Block> y) const {
  parallel_chunks(y.rows(), row_chunk, Operations{double(y.size())}, [&](Index begin, Index end) {
    for (const Slab& s : slabs_) {
      for (Index k = begin; k < end; ++k) {
        const double* from = data_.data() + s.offset + k * s.width;
        std::copy(from, from + s.used, y.row(order[std::size_t(k)]).data() + s.first);
      }
    }
  });
}

}  // namespace itomap::detail
