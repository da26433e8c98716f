#include "kernel/landmarks/landmark_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "core/vector_exp.hpp"

namespace itomap::detail {
namespace {

/// Rows whose sums one thread adds up before they are added to the others'.
constexpr Index sum_rows = 16 * panel_rows;

/// Numbers that sums over separate parts of the points may take: there are as many parts as fit, whatever the threads.
constexpr Index most_numbers = Index(1) << 25U;

constexpr Index fewest_parts = 4;
constexpr Index most_parts = 32;

Index parts_for(Index tiles) {
  return std::clamp<Index>(most_numbers / (tiles * moment_tile), fewest_parts, most_parts);
}

/// Rows [begin, end) of X, by the geometry's order, four columns from `column` on, filled up with zeros.
void take_four(const KernelGeometry& g, PointsView x, Index begin, Index rows, Index column, double* four) {
  const Index width = std::min<Index>(strip_vectors, x.cols() - column);
  for (Index p = 0; p < rows; ++p) {
    const double* row = x.row(g.order()[std::size_t(begin + p)]).data() + column;
    for (Index b = 0; b < strip_vectors; ++b) {
      four[p * strip_vectors + b] = b < width ? row[b] : 0.0;
    }
  }
}

}  // namespace

LandmarkKernel::LandmarkKernel(KernelGeometry geometry)
    : geometry_(std::move(geometry)),
      scale_(geometry_.whitening().constant() ? 0.0 : scale_of_varying_metric()),
      set_(geometry_.cutoff()) {}

/// 1 / the narrowest width, from a sample of the rows.
double LandmarkKernel::scale_of_varying_metric() const {
  constexpr Index sample = 2000;
  const Whitening& w = geometry_.whitening();
  const Index n = geometry_.dimension();
  double largest = 0.0;
  for (Index k = 0; k < std::min(points(), sample); ++k) {
    const auto factors = w.factors(points() <= sample ? k : k * points() / sample);
    if (w.along_axes()) {
      largest = std::max(largest, *std::max_element(factors.begin(), factors.end()));
      continue;
    }
    Matrix triangle = Matrix::Zero(n, n);
    for (Index r = 0, e = 0; r < n; ++r) {
      for (Index c = 0; c <= r; ++c) {
        triangle(r, c) = factors[std::size_t(e++)];
      }
    }
    largest = std::max(largest, symmetric_values(triangle.transpose() * triangle).maxCoeff());
  }
  return std::sqrt(largest);
}

std::size_t LandmarkKernel::memory() const {
  return geometry_.memory() + set_.memory() + std::size_t(columns_.size()) * sizeof(double);
}

Points LandmarkKernel::placed(const Points& rows) const {
  return same_metric() ? geometry_.whitening().whitened(rows) : Points(scale_ * rows);
}

Points LandmarkKernel::places(Index begin, Index end) const {
  return placed(geometry_.points().middleRows(begin, end - begin));
}

Points LandmarkKernel::places(const std::vector<Index>& stored) const {
  return placed(geometry_.points()(stored, Eigen::all));
}

void LandmarkKernel::set_landmarks(const Points& places) {
  set_.set_places(places);
  if (!same_metric()) {
    columns_ = Matrix::Constant(set_.strips().padded(), places.cols(), 1e200);
    columns_.topRows(landmarks()) = places / scale_;
  }
}

void LandmarkKernel::fill(KernelSide side, Index begin, Index end, StripPanel& panel) const {
  panel.begin = begin;
  if (side == KernelSide::Targets && !same_metric()) {
    fill_own_metric(begin, end, panel);
    return;
  }
  const bool moved = side == KernelSide::Targets && !geometry_.symmetric();
  panel.places =
      moved ? geometry_.whitening().whitened(geometry_.centres().middleRows(begin, end - begin)) : places(begin, end);
  set_.fill(panel.places, panel);
}

void LandmarkKernel::fill_own_metric(Index begin, Index end, StripPanel& panel) const {
  const StripLoops loops = strip_loops();
  panel.rows = end - begin;
  set_.strips().all(panel.strips);
  panel.entries.resize(panel.strips.size() * std::size_t(panel.rows * strip_width));
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    double* entries = panel.strip(k);
    const Index first = panel.strips[k] * strip_width;
    for (Index p = 0; p < panel.rows; ++p) {
      geometry_.whitening().squared_distances(begin + p, geometry_.centres().row(begin + p).data(),
                                              {columns_.data(), set_.strips().padded()}, first, first + strip_width,
                                              entries + p * strip_width);
    }
    exp_of_negative(entries, panel.rows * strip_width);
    loops.cut(entries, panel.rows * strip_width, set_.cutoff());
  }
}

void LandmarkKernel::for_panels(KernelSide side, const PanelBody& body, Reporter* reporter) const {
  parallel_chunks(
      points(), sum_rows,
      [&](Index first, Index last) {
        StripPanel panel;
        for (Index begin = first; begin < last; begin += panel_rows) {
          fill(side, begin, std::min(begin + panel_rows, last), panel);
          body(panel);
        }
      },
      reporter);
}

Vector LandmarkKernel::row(KernelSide side, Index i) const {
  StripPanel panel;
  fill(side, i, i + 1, panel);
  return row_of(panel, 0, landmarks());
}

Block LandmarkKernel::gather(KernelSide side, PointsView x) const {
  const Index padded = set_.strips().padded();
  const Index fours = (x.cols() + strip_vectors - 1) / strip_vectors * strip_vectors;
  const Matrix sums = parallel_sum(points(), sum_rows, padded * fours, 1, [&](Index first, Index last) -> Matrix {
    StripPanel panel;
    InFours sum(padded, fours);
    AlignedVector four(std::size_t(panel_rows * strip_vectors));
    for (Index begin = first; begin < last; begin += panel_rows) {
      fill(side, begin, std::min(begin + panel_rows, last), panel);
      for (Index column = 0; column < x.cols(); column += strip_vectors) {
        take_four(geometry_, x, begin, panel.rows, column, four.data());
        gather_four(panel, four.data(), column, sum);
      }
    }
    return Eigen::Map<const Matrix>(sum.numbers.data(), padded * fours, 1);
  });
  InFours all(padded, fours);
  std::copy(sums.data(), sums.data() + sums.size(), all.numbers.begin());
  Block result(landmarks(), x.cols());
  for (Index l = 0; l < landmarks(); ++l) {
    for (Index b = 0; b < x.cols(); ++b) {
      result(l, b) = all.at(l, b);
    }
  }
  return result;
}

void LandmarkKernel::spread(KernelSide side, PointsView u, Eigen::Ref<Block> y) const {
  const InFours in(set_.strips().padded(), u);
  for_panels(side, [&](const StripPanel& panel) {
    double four[panel_rows * strip_vectors];
    for (Index column = 0; column < u.cols(); column += strip_vectors) {
      spread_four(panel, in, column, four);
      const Index width = std::min<Index>(strip_vectors, u.cols() - column);
      for (Index p = 0; p < panel.rows; ++p) {
        std::copy_n(four + p * strip_vectors, width,
                    y.row(geometry_.order()[std::size_t(panel.begin + p)]).data() + column);
      }
    }
  });
}

void LandmarkKernel::add_moments(Index first, Index last, const Vector& weights, double* tiles) const {
  const bool symmetric = geometry_.symmetric();
  StripPanel sources;
  StripPanel targets;
  double factors[panel_rows];
  for (Index begin = first; begin < last; begin += panel_rows) {
    const Index end = std::min(begin + panel_rows, last);
    fill(KernelSide::Sources, begin, end, sources);
    for (Index p = 0; p < sources.rows; ++p) {
      const double weight = weights[geometry_.order()[std::size_t(begin + p)]];
      factors[p] = symmetric ? std::sqrt(weight) : weight;
    }
    scale_rows_of(sources, factors);
    if (!symmetric) {
      fill(KernelSide::Targets, begin, end, targets);
    }
    add_tiles(sources, symmetric ? sources : targets, symmetric, set_.strips().count(), tiles);
  }
}

double LandmarkKernel::moment_bytes(double landmarks) {
  const double numbers = landmarks * landmarks;
  return std::clamp(double(most_numbers), double(fewest_parts) * numbers, double(most_parts) * numbers) *
         sizeof(double);
}

Matrix LandmarkKernel::raw_moments(const Vector& weights) const {
  const Index strips = set_.strips().count();
  const Index parts = parts_for(strips * strips);
  const Index panels = (points() + panel_rows - 1) / panel_rows;
  std::vector<AlignedVector> sums(std::size_t(parts), AlignedVector{});
  Reporter reporter("moments");
  parallel_chunks(
      parts, 1,
      [&](Index first, Index last) {
        for (Index part = first; part < last; ++part) {
          AlignedVector& tiles = sums[std::size_t(part)];
          tiles.assign(std::size_t(strips * strips * moment_tile), 0.0);
          const Index begin = part * panels / parts * panel_rows;
          const Index end = std::min((part + 1) * panels / parts * panel_rows, points());
          add_moments(begin, end, weights, tiles.data());
        }
      },
      &reporter);
  for (Index part = 1; part < parts; ++part) {
    for (std::size_t e = 0; e < sums[0].size(); ++e) {
      sums[0][e] += sums[std::size_t(part)][e];
    }
  }
  return matrix_of_tiles(sums[0].data(), strips, landmarks(), geometry_.symmetric());
}

Matrix LandmarkKernel::moments(const Vector& weights) const {
  return set_.whitened_both(raw_moments(weights), geometry_.symmetric());
}

}  // namespace itomap::detail
