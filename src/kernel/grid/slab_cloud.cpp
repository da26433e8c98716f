#include "kernel/grid/slab_cloud.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

/// Points whose values are collected before the inner loops see them.
constexpr Index batch = 256;

/// Rows lie anywhere in memory: they are asked for this many points before they are needed.
constexpr Index ahead = 16;

void prefetch([[maybe_unused]] const double* memory) {
#if defined(__GNUC__)
  __builtin_prefetch(memory);
#endif
}

/// Rows of up to four numbers, filled up to four; whole rows without a loop, which is what the eigensolver asks for.
void copy_lanes(const double* from, Index lanes, double* to) {
  if (lanes == spread_lanes) {
    std::copy(from, from + spread_lanes, to);
  } else {
    std::copy(from, from + lanes, to);
  }
}

/// The cell of a point, which is where its window starts, in the order of the slabs: first the slab, then along the
/// second axis (in three dimensions in bands of a few cells, so that a band's part of the grid stays in cache), then
/// along the third, then within slab and band.
class SlabOrder {
 public:
  SlabOrder(const GaussGrid& grid, Index rows) : grid_(grid) {
    counts_[0] = rows / grid.width() + 1;
    for (int a = 1; a < grid.dimension(); ++a) {
      const Index cells = grid.shape().stored[a];
      counts_[std::size_t(a)] = a + 1 < grid.dimension() ? cells / band + 1 : cells;
    }
  }

  Index slabs() const { return counts_[0]; }
  Index cells_per_slab() const { return counts_[1] * counts_[2] * grid_.width() * (banded() ? band : 1); }
  Index cells() const { return slabs() * cells_per_slab(); }

  Index cell(const double* z) const {
    const Index first = grid_.place(0, z[0]).first;
    Index number = first / grid_.width();
    Index within = first % grid_.width();
    for (int a = 1; a < grid_.dimension(); ++a) {
      const Index tap = grid_.place(a, z[a]).first;
      const bool in_band = a + 1 < grid_.dimension();
      number = number * counts_[std::size_t(a)] + (in_band ? tap / band : tap);
      within = in_band ? within * band + tap % band : within;
    }
    return number * grid_.width() * (banded() ? band : 1) + within;
  }

 private:
  static constexpr Index band = 4;
  bool banded() const { return grid_.dimension() > 2; }

  const GaussGrid& grid_;
  std::array<Index, 3> counts_{1, 1, 1};
};

/// Calls body(to, from) for all stored grid points that lie outside the box which takes part, `to` being the point one
/// period away; axis by axis, so that corners travel twice.
template <class Body>
void for_margins(const GridShape& shape, int axis, const Body& body) {
  if (shape.offset[axis] == 0) {
    return;
  }
  Index outer = 1;
  Index inner = shape.interleaved;
  for (int a = 0; a < axis; ++a) {
    outer *= shape.stored[a];
  }
  for (int a = axis + 1; a < shape.dimension; ++a) {
    inner *= shape.stored[a];
  }
  for (Index o = 0; o < outer; ++o) {
    for (Index s = 0; s < shape.stored[axis]; ++s) {
      const Index inside = (s - shape.offset[axis] + shape.size[axis]) % shape.size[axis] + shape.offset[axis];
      if (inside != s) {
        body((o * shape.stored[axis] + inside) * inner, (o * shape.stored[axis] + s) * inner, inner);
      }
    }
  }
}

}  // namespace

SlabCloud::SlabCloud(const Points& points, const std::vector<std::int32_t>& rows, const GaussGrid& grid)
    : dimension_(points.cols()),
      first_(std::size_t(points.size())),
      offset_(std::size_t(points.size())),
      rows_(rows.size()) {
  Index highest = 0;
  for (Index k = 0; k < points.rows(); ++k) {
    highest = std::max(highest, grid.place(0, points(k, 0)).first);
  }
  const SlabOrder order(grid, highest);
  std::vector<Index> next(std::size_t(order.cells()) + 1, 0);
  for (Index k = 0; k < points.rows(); ++k) {
    ++next[std::size_t(order.cell(points.row(k).data())) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (Index slab = 0; slab <= order.slabs(); ++slab) {
    starts_.push_back(next[std::size_t(slab * order.cells_per_slab())]);
  }
  for (Index k = 0; k < points.rows(); ++k) {
    const Index to = next[std::size_t(order.cell(points.row(k).data()))]++;
    for (Index a = 0; a < dimension_; ++a) {
      const WindowPlace place = grid.place(int(a), points(k, a));
      first_[std::size_t(to * dimension_ + a)] = std::int32_t(place.first);
      offset_[std::size_t(to * dimension_ + a)] = place.offset;
    }
    rows_[std::size_t(to)] = rows[std::size_t(k)];
  }
}

SlabCloud SlabCloud::part(const std::vector<std::int32_t>& numbers) const {
  SlabCloud cloud;
  cloud.dimension_ = dimension_;
  cloud.starts_.push_back(0);
  for (Index slab = 0; slab < slabs(); ++slab) {
    for (Index k = begin(slab); k < end(slab); ++k) {
      const std::int32_t number = numbers[std::size_t(row(k))];
      if (number >= 0) {
        const WindowPlaces place = places(k);
        cloud.first_.insert(cloud.first_.end(), place.first, place.first + dimension_);
        cloud.offset_.insert(cloud.offset_.end(), place.offset, place.offset + dimension_);
        cloud.rows_.push_back(number);
      }
    }
    cloud.starts_.push_back(cloud.size());
  }
  return cloud;
}

std::size_t SlabCloud::memory() const { return std::size_t(double(size()) * bytes_a_point(dimension_)); }

Spreader::Spreader(const GaussGrid& grid)
    : shape_(grid.shape()), plan_(grid.spread_plan()), loops_(spreading_loops(grid.dimension(), grid.width())) {}

void Spreader::fold_margins(std::complex<double>* grid) const {
  for (int axis = 0; axis < shape_.dimension; ++axis) {
    for_margins(shape_, axis, [&](Index inside, Index margin, Index count) {
      for (Index k = 0; k < count; ++k) {
        grid[inside + k] += grid[margin + k];
      }
    });
  }
}

void Spreader::fill_margins(std::complex<double>* grid) const {
  for (int axis = 0; axis < shape_.dimension; ++axis) {
    for_margins(shape_, axis, [&](Index inside, Index margin, Index count) {
      std::copy(grid + inside, grid + inside + count, grid + margin);
    });
  }
}

void Spreader::spread(const SlabCloud& from, PointsView x, Index column, std::complex<double>* grid) const {
  auto* values_on_grid = reinterpret_cast<double*>(grid);
  const Index lanes = std::min<Index>(spread_lanes, x.cols() - column);
  const auto spread_slab = [&](Index slab) {
    std::array<double, batch * spread_lanes> values{};
    for (Index first = from.begin(slab); first < from.end(slab); first += batch) {
      const Index count = std::min(batch, from.end(slab) - first);
      for (Index k = 0; k < count; ++k) {
        prefetch(x.data() + from.row(std::min(first + k + ahead, from.size() - 1)) * x.outerStride() + column);
        const double* row = x.data() + from.row(first + k) * x.outerStride() + column;
        copy_lanes(row, lanes, values.data() + k * spread_lanes);
      }
      loops_.spread(plan_, from.places(first), values.data(), count, values_on_grid);
    }
  };
  // Even slabs first, then odd ones: no two windows of a round touch the same grid point, and the order of all sums is
  // the same for any number of threads.
  for (const Index parity : {0, 1}) {
    parallel_chunks((from.slabs() + 1 - parity) / 2, 1, [&](Index begin, Index) { spread_slab(2 * begin + parity); });
  }
  fold_margins(grid);
}

void Spreader::gather(const SlabCloud& to, std::complex<double>* grid, Index column, Eigen::Ref<Block> y) const {
  fill_margins(grid);
  gather_filled(to, grid, column, y);
}

void Spreader::gather_filled(const SlabCloud& to, const std::complex<double>* grid, Index column,
                             Eigen::Ref<Block> y) const {
  const auto* values_on_grid = reinterpret_cast<const double*>(grid);
  const Index lanes = std::min<Index>(spread_lanes, y.cols() - column);
  constexpr Index points_per_chunk = 16 * batch;
  parallel_chunks(to.size(), points_per_chunk, [&](Index begin, Index end) {
    std::array<double, batch * spread_lanes> values{};
    for (Index first = begin; first < end; first += batch) {
      const Index count = std::min(batch, end - first);
      loops_.gather(plan_, to.places(first), values_on_grid, count, values.data());
      for (Index k = 0; k < count; ++k) {
        prefetch(y.data() + to.row(std::min(first + k + ahead, to.size() - 1)) * y.outerStride() + column);
        const double* value = values.data() + k * spread_lanes;
        copy_lanes(value, lanes, y.data() + to.row(first + k) * y.outerStride() + column);
      }
    }
  });
}

}  // namespace itomap::detail
