#include "kernel/landmarks/landmark_kernel.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/dense_algebra.hpp"
#include "core/parallel.hpp"
#include "core/vector_exp.hpp"
#include "itomap/core/error.hpp"
#include "kernel/graph_builder.hpp"

namespace itomap::detail {
namespace {

/// Rows of a panel: two of the runs of 64 that are compact in space.
constexpr Index panel_rows = 128;
/// Rows whose sums one thread adds up before they are added to the others'.
constexpr Index sum_rows = 16 * panel_rows;

/// Added to the diagonal of K_zz, where landmarks so close together that rounding cannot tell them apart would make it
/// singular: the kernel is off by no more than this there.
constexpr double smallest_pivot = 1e-6;

/// The interpolation multiplies what is cut off by up to smallest_pivot^-1/2.
constexpr double largest_cutoff = 1e-8;

/// Numbers that sums over separate parts of the points may take: there are as many parts as fit, whatever the threads.
constexpr Index most_numbers = Index(1) << 25U;

constexpr Index moment_tile = strip_width * strip_width;

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

/// Numbers side by side: of each group of four columns, of each row, four numbers.
struct InFours {
  Index rows;
  Index columns;
  AlignedVector numbers;

  InFours(Index row_count, Index column_count)
      : rows(row_count),
        columns(column_count),
        numbers(std::size_t(row_count * ((column_count + strip_vectors - 1) / strip_vectors) * strip_vectors), 0.0) {}

  double* group(Index column) { return numbers.data() + column * rows; }
  const double* group(Index column) const { return numbers.data() + column * rows; }

  double& at(Index row, Index column) {
    return group(column / strip_vectors * strip_vectors)[row * strip_vectors + column % strip_vectors];
  }
};

}  // namespace

LandmarkKernel::LandmarkKernel(KernelGeometry geometry)
    : geometry_(std::move(geometry)),
      scale_(geometry_.whitening().constant() ? 0.0 : scale_of_varying_metric()),
      limit_(std::max(geometry_.limit(), -std::log(largest_cutoff))),
      cutoff_(std::min(geometry_.cutoff(), largest_cutoff)) {}

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
  return geometry_.memory() + strips_->memory() +
         std::size_t(factor_.size() + columns_.size() + landmark_places_.size()) * sizeof(double);
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
  landmark_places_ = places;
  landmarks_ = places.rows();
  strips_ = std::make_unique<const Strips>(places);
  if (!same_metric()) {
    columns_ = Matrix::Constant(strips_->padded(), places.cols(), 1e200);
    columns_.topRows(landmarks_) = places / scale_;
  }
  UnionFind sets(landmarks_);
  for (Index l = 0; l < landmarks_; ++l) {
    for (Index k = 0; k < l; ++k) {
      if ((places.row(l) - places.row(k)).squaredNorm() <= limit_) {
        sets.unite(l, k);
      }
    }
  }
  component_.resize(std::size_t(landmarks_));
  for (Index l = 0; l < landmarks_; ++l) {
    component_[std::size_t(l)] = sets.root(l);
  }
}

void LandmarkKernel::factorise() {
  Matrix k(landmarks_, landmarks_);
  parallel_chunks(landmarks_, 64, [&](Index begin, Index end) {
    for (Index l = begin; l < end; ++l) {
      Vector u(landmarks_);
      for (Index j = 0; j < landmarks_; ++j) {
        const bool joined = component_[std::size_t(j)] == component_[std::size_t(l)];
        u[j] = joined ? (landmark_places_.row(l) - landmark_places_.row(j)).squaredNorm() : HUGE_VAL;
      }
      exp_of_negative(u.data(), landmarks_);
      k.col(l) = u;
    }
  });
  double pivot = smallest_pivot;
  Eigen::LLT<Matrix> llt;
  do {
    k.diagonal().setConstant(1.0 + pivot);
    llt.compute(k);
    pivot *= 10.0;
  } while (llt.info() != Eigen::Success && pivot < 1.0);
  if (llt.info() != Eigen::Success) {
    throw NumericalError("landmarks: their kernel matrix is singular; take fewer, or another engine");
  }
  factor_ = llt.matrixL();
}

void LandmarkKernel::fill(KernelSide side, Index begin, Index end, StripPanel& panel) const {
  const StripLoops loops = strip_loops();
  panel.begin = begin;
  panel.rows = end - begin;
  const bool own_metric = side == KernelSide::Targets && !same_metric();
  if (own_metric) {
    strips_->all(panel.strips);
  } else {
    const bool moved = side == KernelSide::Targets && !geometry_.symmetric();
    panel.places =
        moved ? geometry_.whitening().whitened(geometry_.centres().middleRows(begin, panel.rows)) : places(begin, end);
    strips_->near(panel.places, limit_, panel.strips);
  }
  panel.entries.resize(panel.strips.size() * std::size_t(panel.rows * strip_width));
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    double* entries = panel.strip(k);
    if (own_metric) {
      const Index first = panel.strips[k] * strip_width;
      for (Index p = 0; p < panel.rows; ++p) {
        geometry_.whitening().squared_distances(begin + p, geometry_.centres().row(begin + p).data(),
                                                {columns_.data(), strips_->padded()}, first, first + strip_width,
                                                entries + p * strip_width);
      }
    } else {
      loops.distances(panel.places.data(), panel.places.cols(), panel.rows, strips_->strip(panel.strips[k]), entries);
    }
    exp_of_negative(entries, panel.rows * strip_width);
    loops.cut(entries, panel.rows * strip_width, cutoff_);
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
  Vector values = Vector::Zero(strips_->padded());
  for (std::size_t k = 0; k < panel.strips.size(); ++k) {
    std::copy_n(panel.strip(k), strip_width, values.data() + panel.strips[k] * strip_width);
  }
  return values.head(landmarks_);
}

Block LandmarkKernel::gather(KernelSide side, PointsView x) const {
  const StripLoops loops = strip_loops();
  const Index padded = strips_->padded();
  const Index fours = (x.cols() + strip_vectors - 1) / strip_vectors * strip_vectors;
  const Matrix sums = parallel_sum(points(), sum_rows, padded * fours, 1, [&](Index first, Index last) -> Matrix {
    StripPanel panel;
    InFours sum(padded, fours);
    AlignedVector four(std::size_t(panel_rows * strip_vectors));
    for (Index begin = first; begin < last; begin += panel_rows) {
      fill(side, begin, std::min(begin + panel_rows, last), panel);
      for (Index column = 0; column < x.cols(); column += strip_vectors) {
        take_four(geometry_, x, begin, panel.rows, column, four.data());
        for (std::size_t k = 0; k < panel.strips.size(); ++k) {
          double* part = sum.group(column) + panel.strips[k] * strip_width * strip_vectors;
          loops.gather(panel.strip(k), panel.rows, four.data(), part);
        }
      }
    }
    return Eigen::Map<const Matrix>(sum.numbers.data(), padded * fours, 1);
  });
  InFours all(padded, fours);
  std::copy(sums.data(), sums.data() + sums.size(), all.numbers.begin());
  Block result(landmarks_, x.cols());
  for (Index l = 0; l < landmarks_; ++l) {
    for (Index b = 0; b < x.cols(); ++b) {
      result(l, b) = all.at(l, b);
    }
  }
  return result;
}

void LandmarkKernel::spread(KernelSide side, PointsView u, Eigen::Ref<Block> y) const {
  const StripLoops loops = strip_loops();
  InFours in(strips_->padded(), u.cols());
  for (Index l = 0; l < landmarks_; ++l) {
    for (Index b = 0; b < u.cols(); ++b) {
      in.at(l, b) = u(l, b);
    }
  }
  for_panels(side, [&](const StripPanel& panel) {
    double four[panel_rows * strip_vectors];
    for (Index column = 0; column < u.cols(); column += strip_vectors) {
      std::fill_n(four, panel.rows * strip_vectors, 0.0);
      for (std::size_t k = 0; k < panel.strips.size(); ++k) {
        const double* part = in.group(column) + panel.strips[k] * strip_width * strip_vectors;
        loops.spread(panel.strip(k), panel.rows, part, four);
      }
      const Index width = std::min<Index>(strip_vectors, u.cols() - column);
      for (Index p = 0; p < panel.rows; ++p) {
        std::copy_n(four + p * strip_vectors, width,
                    y.row(geometry_.order()[std::size_t(panel.begin + p)]).data() + column);
      }
    }
  });
}

Block LandmarkKernel::whitened(PointsView u) const { return factor_.triangularView<Eigen::Lower>().solve(Matrix(u)); }

Block LandmarkKernel::unwhitened(PointsView u) const {
  return factor_.transpose().triangularView<Eigen::Upper>().solve(Matrix(u));
}

void LandmarkKernel::add_moments(Index first, Index last, const Vector& weights, double* tiles) const {
  const StripLoops loops = strip_loops();
  const bool symmetric = geometry_.symmetric();
  const Index strips = strips_->count();
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
    for (std::size_t k = 0; k < sources.strips.size(); ++k) {
      loops.scale(sources.strip(k), sources.rows, factors);
    }
    if (!symmetric) {
      fill(KernelSide::Targets, begin, end, targets);
    }
    const StripPanel& right = symmetric ? sources : targets;
    for (std::size_t k = 0; k < sources.strips.size(); ++k) {
      for (std::size_t l = symmetric ? k : 0; l < right.strips.size(); ++l) {
        loops.update(sources.strip(k), right.strip(l), sources.rows,
                     tiles + (sources.strips[k] * strips + right.strips[l]) * moment_tile);
      }
    }
  }
}

double LandmarkKernel::moment_bytes(double landmarks) {
  const double numbers = landmarks * landmarks;
  return std::clamp(double(most_numbers), double(fewest_parts) * numbers, double(most_parts) * numbers) *
         sizeof(double);
}

Matrix LandmarkKernel::raw_moments(const Vector& weights) const {
  const Index strips = strips_->count();
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
  Matrix moments(landmarks_, landmarks_);
  for (Index l = 0; l < landmarks_; ++l) {
    for (Index k = 0; k < landmarks_; ++k) {
      const bool mirrored = geometry_.symmetric() && k / strip_width > l / strip_width;
      const Index row = mirrored ? l : k;
      const Index column = mirrored ? k : l;
      const Index tile = row / strip_width * strips + column / strip_width;
      moments(k, l) = sums[0][std::size_t(tile * moment_tile + row % strip_width * strip_width + column % strip_width)];
    }
  }
  return moments;
}

Matrix LandmarkKernel::moments(const Vector& weights) const {
  Matrix m = raw_moments(weights);
  constexpr Index columns = 64;
  const auto lower = factor_.triangularView<Eigen::Lower>();
  const auto solve_columns = [&] {
    parallel_chunks(landmarks_, columns, [&](Index begin, Index end) {
      auto part = m.middleCols(begin, end - begin);
      lower.solveInPlace(part);
    });
  };
  solve_columns();
  m.transposeInPlace();
  solve_columns();
  m.transposeInPlace();
  return geometry_.symmetric() ? Matrix(0.5 * (m + m.transpose())) : m;
}

}  // namespace itomap::detail
