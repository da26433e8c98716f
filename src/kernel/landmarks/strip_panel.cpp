#include "kernel/landmarks/strip_panel.hpp"

#include <algorithm>

#include "core/vector_exp.hpp"

namespace itomap::detail {

InFours::InFours(Index row_count, PointsView u) : InFours(row_count, u.cols()) {
  for (Index l = 0; l < u.rows(); ++l) {
    for (Index b = 0; b < u.cols(); ++b) {
      at(l, b) = u(l, b);
    }
  }
}

void fill_near(const Strips& strips, const Points& places, double limit, double cutoff, StripPanel& panel) {
  const StripLoops loops = strip_loops();
  strips.near(places, limit, panel.strips);
  panel.rows = places.rows();
  panel.entries.resize(panel.strips.size() * std::size_t(panel.rows * strip_width));
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    double* entries = panel.strip(k);
    loops.distances(places.data(), places.cols(), panel.rows, strips.strip(panel.strips[k]), entries);
    exp_of_negative(entries, panel.rows * strip_width);
    loops.cut(entries, panel.rows * strip_width, cutoff);
  }
}

Vector row_of(const StripPanel& panel, Index p, Index landmarks) {
  Vector values = Vector::Zero((landmarks + strip_width - 1) / strip_width * strip_width);
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    std::copy_n(panel.strip(k) + p * strip_width, strip_width, values.data() + panel.strips[k] * strip_width);
  }
  return values.head(landmarks);
}

void gather_four(const StripPanel& panel, const double* x, Index column, InFours& sums) {
  const StripLoops loops = strip_loops();
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    loops.gather(panel.strip(k), panel.rows, x, sums.group(column) + panel.strips[k] * strip_width * strip_vectors);
  }
}

void spread_four(const StripPanel& panel, const InFours& u, Index column, double* y) {
  const StripLoops loops = strip_loops();
  std::fill_n(y, panel.rows * strip_vectors, 0.0);
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    loops.spread(panel.strip(k), panel.rows, u.group(column) + panel.strips[k] * strip_width * strip_vectors, y);
  }
}

void scale_rows_of(StripPanel& panel, const double* factors) {
  const StripLoops loops = strip_loops();
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    loops.scale(panel.strip(k), panel.rows, factors);
  }
}

void add_tiles(const StripPanel& a, const StripPanel& b, bool symmetric, Index strips, double* tiles) {
  const StripLoops loops = strip_loops();
  for (std::size_t k = 0; k < a.strips.size(); ++k) {
    for (std::size_t l = symmetric ? k : 0; l < b.strips.size(); ++l) {
      loops.update(a.strip(k), b.strip(l), a.rows, tiles + (a.strips[k] * strips + b.strips[l]) * moment_tile);
    }
  }
}

Matrix matrix_of_tiles(const double* tiles, Index strips, Index landmarks, bool symmetric) {
  Matrix moments(landmarks, landmarks);
  for (Index l = 0; l < landmarks; ++l) {
    for (Index k = 0; k < landmarks; ++k) {
      const bool mirrored = symmetric && k / strip_width > l / strip_width;
      const Index row = mirrored ? l : k;
      const Index column = mirrored ? k : l;
      const Index tile = row / strip_width * strips + column / strip_width;
      moments(k, l) = tiles[tile * moment_tile + row % strip_width * strip_width + column % strip_width];
    }
  }
  return moments;
}

}  // namespace itomap::detail
