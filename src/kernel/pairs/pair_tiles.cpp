#include "kernel/pairs/pair_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

constexpr Index strips_a_tile = tile_points / strip_points;

Index tiles_for(Index points) { return (points + tile_points - 1) / tile_points; }

/// Few enough blocks that a task is worth a thread's while, enough for many threads.
Index tiles_a_block(Index tiles) {
  constexpr Index least = 8;
  constexpr Index most_blocks = 128;
  return std::max(least, (tiles + most_blocks - 1) / most_blocks);
}

PairSchedule block_pairs(const KernelGeometry& geometry, VectorView log_scale, Index block) {
  if (!geometry.symmetric()) {
    return {0, nullptr};
  }
  const Boxes boxes(geometry.points(), block);
  const RowReaches reach(geometry, log_scale, block);
  return {Index(boxes.low.rows()), [&](Index a, Index b) { return reach.misses(a, boxes, b); }};
}

/// Points of one tile, one coordinate after the other, filled up with copies of the last point.
void pack_tile(const Points& points, Index t, double* out) {
  for (Index a = 0; a < points.cols(); ++a) {
    for (Index j = 0; j < tile_points; ++j) {
      out[a * tile_points + j] = points(std::min(t * tile_points + j, points.rows() - 1), a);
    }
  }
}

PairMetric row_metric(const Whitening& whitening) {
  if (whitening.constant()) {
    return PairMetric::Euclidean;
  }
  switch (whitening.kind()) {
    case Whitening::Kind::Scalar:
      return PairMetric::Scalar;
    case Whitening::Kind::Diagonal:
      return PairMetric::Diagonal;
    case Whitening::Kind::Triangular:
      break;
  }
  return PairMetric::Triangular;
}

/// A diagonal W, given squared, as a lower triangle row by row.
std::vector<double> lower_triangle(std::span<const double> squares) {
  std::vector<double> triangle;
  for (std::size_t r = 0; r < squares.size(); ++r) {
    triangle.insert(triangle.end(), r, 0.0);
    triangle.push_back(std::sqrt(squares[r]));
  }
  return triangle;
}

/// The W of a metric that all rows share, or 1, in units in which the kernel is 2^-u.
std::vector<double> common_factor(const Whitening& whitening) {
  const double unit = std::sqrt(std::numbers::log2e);
  if (!whitening.constant()) {
    return {unit};
  }
  if (whitening.kind() == Whitening::Kind::Scalar) {
    return {unit * std::sqrt(whitening.factors(0)[0])};
  }
  std::vector<double> w(whitening.factors(0).begin(), whitening.factors(0).end());
  if (whitening.kind() == Whitening::Kind::Diagonal) {
    w = lower_triangle(whitening.factors(0));
  }
  for (double& value : w) {
    value *= unit;
  }
  return w;
}

}  // namespace

PairTiles::PairTiles(const KernelGeometry& geometry, VectorView log_scale)
    : points_(geometry.size()),
      dimension_(geometry.dimension()),
      tile_count_(tiles_for(geometry.size())),
      tiles_a_block_(tiles_a_block(tile_count_)),
      symmetric_(geometry.symmetric()),
      triangular_(geometry.whitening().constant() && geometry.whitening().kind() != Whitening::Kind::Scalar),
      common_(common_factor(geometry.whitening())),
      metric_(row_metric(geometry.whitening())),
      limit_(std::numbers::log2e * geometry.limit()),
      tile_boxes_(geometry.points(), tile_points),
      strip_reach_(geometry, log_scale, strip_points),
      tile_reach_(geometry, log_scale, tile_points),
      schedule_(block_pairs(geometry, log_scale, tiles_a_block_ * tile_points)) {
  pack(geometry, log_scale);
}

void PairTiles::pack(const KernelGeometry& geometry, VectorView log_scale) {
  const Points& centres = geometry.centres();
  tiles_.resize(std::size_t(tile_count_ * tile_size()));
  centres_.resize(tiles_.size());
  origins_.resize(tile_count_, dimension_);
  AlignedVector raw(static_cast<std::size_t>(tile_size()));
  for (Index t = 0; t < tile_count_; ++t) {
    pack_tile(geometry.points(), t, tiles_.data() + t * tile_size());
    pack_tile(centres, t, raw.data());
    origins_.row(t) = centres.row(t * tile_points);
    pair_kernels().whiten(raw.data(), origins_.row(t).data(), common_.data(), triangular_, int(dimension_),
                          centres_.data() + t * tile_size());
  }
  const Index padded = tile_count_ * tile_points;
  if (metric_ != PairMetric::Euclidean) {
    for (Index i = 0; i < padded; ++i) {
      const auto factors = geometry.whitening().factors(std::min(i, points_ - 1));
      factors_.insert(factors_.end(), factors.begin(), factors.end());
    }
  }
  if (log_scale.size() > 0 && log_scale.maxCoeff() > 0.0) {
    offsets_.assign(std::size_t(padded), 0.0);
    for (Index i = 0; i < points_; ++i) {
      offsets_[std::size_t(i)] = std::numbers::log2e * log_scale[i];
    }
  }
}

PairStrip PairTiles::strip(Index s) const {
  const Index row = s * strip_points;
  const Index t = row / tile_points;
  const Index numbers_a_row = Index(factors_.size()) / (tile_count_ * tile_points);
  return {.centres = centres_.data() + t * tile_size() + row % tile_points,
          .dimension = int(dimension_),
          .metric = metric_,
          .factors = factors_.data() + row * numbers_a_row,
          .offsets = offsets_.empty() ? nullptr : offsets_.data() + row,
          .limit = limit_};
}

PairTiles::Scratch PairTiles::scratch() const {
  return {AlignedVector(std::size_t(tile_size())), AlignedVector(std::size_t(strip_points * tile_points))};
}

bool PairTiles::whiten(Index i, Index j, Scratch& scratch) const {
  if (tile_reach_.misses(i, tile_boxes_, j)) {
    return false;
  }
  pair_kernels().whiten(tile(j), origins_.row(i).data(), common_.data(), triangular_, int(dimension_),
                        scratch.columns.data());
  return true;
}

void PairTiles::multiply(Index i, Index j, bool forward, bool transposed, const Slabs& x, Slabs& y,
                         Scratch& scratch) const {
  if (!whiten(i, j, scratch)) {
    return;
  }
  const PairKernels& kernels = pair_kernels();
  const double* columns = scratch.columns.data();
  const Index column = j * tile_points;
  for (Index s = i * strips_a_tile; s < (i + 1) * strips_a_tile; ++s) {
    if (!sees(s, j)) {
      continue;
    }
    const Index row = s * strip_points;
    if (x.width(0) == 1) {
      kernels.single(strip(s), columns, x.at(0, column), forward ? y.at(0, row) : nullptr, x.at(0, row),
                     transposed ? y.at(0, column) : nullptr);
      continue;
    }
    kernels.entries(strip(s), columns, scratch.entries.data());
    for (Index slab = 0; slab < x.count(); ++slab) {
      if (forward) {
        kernels.rows(scratch.entries.data(), x.at(slab, column), x.width(slab), y.at(slab, row));
      }
      if (transposed) {
        kernels.columns(scratch.entries.data(), x.at(slab, row), x.width(slab), y.at(slab, column));
      }
    }
  }
}

void PairTiles::entries(Index i, Index j, Scratch& scratch, const UseEntries& use) const {
  if (!whiten(i, j, scratch)) {
    return;
  }
  double* entries = scratch.entries.data();
  const Index columns = std::min<Index>(tile_points, points_ - j * tile_points);
  for (Index s = i * strips_a_tile; s < (i + 1) * strips_a_tile; ++s) {
    if (!sees(s, j)) {
      continue;
    }
    pair_kernels().entries(strip(s), scratch.columns.data(), entries);
    const Index rows = std::min<Index>(strip_points, points_ - s * strip_points);
    for (Index r = 0; r < strip_points; ++r) {
      double* row = entries + r * tile_points;
      std::fill(row + (r < rows ? columns : 0), row + tile_points, 0.0);
    }
    use(s * strip_points, entries);
  }
}

void PairTiles::symmetric_product(const Slabs& x, Slabs& y) const {
  schedule_.run([&](Index a, Index b) {
    Scratch mine = scratch();
    for (Index i = a * tiles_a_block_; i < std::min(tile_count_, (a + 1) * tiles_a_block_); ++i) {
      for (Index j = std::max(i, b * tiles_a_block_); j < std::min(tile_count_, (b + 1) * tiles_a_block_); ++j) {
        multiply(i, j, true, i != j, x, y, mine);
      }
    }
  });
}

void PairTiles::apply(const Slabs& x, Slabs& y) const {
  if (symmetric_) {
    symmetric_product(x, y);
    return;
  }
  parallel_chunks(tile_count_, 1, [&](Index i, Index) {
    Scratch mine = scratch();
    for (Index j = 0; j < tile_count_; ++j) {
      multiply(i, j, true, false, x, y, mine);
    }
  });
}

void PairTiles::apply_transpose(const Slabs& x, Slabs& y) const {
  if (symmetric_) {
    symmetric_product(x, y);
    return;
  }
  parallel_chunks(tile_count_, 1, [&](Index j, Index) {
    Scratch mine = scratch();
    for (Index i = 0; i < tile_count_; ++i) {
      multiply(i, j, false, true, x, y, mine);
    }
  });
}

std::size_t PairTiles::memory() const {
  return (tiles_.size() + centres_.size() + factors_.size() + offsets_.size()) * sizeof(double) +
         strip_reach_.memory() + tile_reach_.memory();
}

}  // namespace itomap::detail
