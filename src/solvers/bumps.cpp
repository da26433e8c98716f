#include "solvers/bumps.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace itomap::detail {
namespace {

/// Landmarks that one thread takes at a time.
constexpr Index landmark_chunk = 16;

/// to.row(i) += factor * from.row(k), as a plain loop: rows are short.
void add_row(double factor, PointsView from, Index k, Block& to, Index i) {
  const double* const source = from.data() + k * from.outerStride();
  double* const target = to.data() + i * to.outerStride();
  for (Index c = 0; c < to.cols(); ++c) {
    target[c] += factor * source[c];
  }
}

}  // namespace

PlaceSearch::PlaceSearch(PointsView places, const std::vector<Index>& members, double radius) {
  const Points present = places(members, Eigen::all);
  const auto order = spatial_order(present, radius);
  sorted_ = present(order, Eigen::all);
  numbers_.reserve(order.size());
  for (const auto k : order) {
    numbers_.push_back(members[std::size_t(k)]);
  }
  const bool few_coordinates = places.cols() <= 3;
  search_ = make_search(sorted_, few_coordinates ? SearchMethod::CellGrid : SearchMethod::BruteForce, radius);
}

Bumps::Bumps(PointsView places, const std::vector<Index>& members, double spacing, Index most) : spacing_(spacing) {
  const PlaceSearch search(places, members, spacing);
  thin(places, search, most);
  if (count() > 0) {
    spread(places, search);
  }
}

/// Every place that no landmark is near becomes one.
void Bumps::thin(PointsView places, const PlaceSearch& search, Index most) {
  std::vector<bool> covered(std::size_t(places.rows()), false);
  std::vector<IndexRange> scratch;
  for (const Index place : search.numbers()) {
    if (covered[std::size_t(place)]) {
      continue;
    }
    if (count() == most) {
      landmarks_.clear();
      return;
    }
    landmarks_.push_back(place);
    search.within(places.row(place).data(), spacing_, scratch,
                  [&](Index near, double) { covered[std::size_t(near)] = true; });
  }
}

void Bumps::spread(PointsView places, const PlaceSearch& search) {
  const double radius = 2.0 * spacing_;
  at_landmark_.resize(landmarks_.size());
  parallel_chunks(count(), landmark_chunk, [&](Index begin, Index end) {
    std::vector<IndexRange> scratch;
    for (Index l = begin; l < end; ++l) {
      search.within(places.row(landmarks_[std::size_t(l)]).data(), radius, scratch, [&](Index place, double square) {
        const double w = 1.0 - square / (radius * radius);
        at_landmark_[std::size_t(l)].push_back({std::int32_t(place), w * w});
      });
    }
  });
  Vector total = Vector::Zero(places.rows());
  for (const auto& bump : at_landmark_) {
    for (const PlaceValue& part : bump) {
      total[part.place] += part.value;
    }
  }
  at_place_.resize(std::size_t(places.rows()));
  for (std::size_t l = 0; l < at_landmark_.size(); ++l) {
    for (PlaceValue& part : at_landmark_[l]) {
      part.value /= total[part.place];
      at_place_[std::size_t(part.place)].push_back({std::int32_t(l), part.value});
    }
  }
}

Block Bumps::expand(const Matrix& y) const {
  const Block rows = y;
  Block f = Block::Zero(Index(at_place_.size()), y.cols());
  parallel_chunks(f.rows(), row_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (const PlaceValue& part : at(i)) {
        add_row(part.value, rows, part.place, f, i);
      }
    }
  });
  return f;
}

Matrix Bumps::sums(PointsView f) const {
  Block y = Block::Zero(count(), f.cols());
  parallel_chunks(count(), landmark_chunk, [&](Index begin, Index end) {
    for (Index l = begin; l < end; ++l) {
      for (const PlaceValue& part : at_landmark_[std::size_t(l)]) {
        add_row(part.value, f, part.place, y, l);
      }
    }
  });
  return y;
}

SparseMatrix Bumps::gram(const Vector& weights) const {
  return seen([this](Index l) -> const std::vector<PlaceValue>& { return at_landmark_[std::size_t(l)]; }, weights);
}

std::vector<PlaceValue> Bumps::ColumnSums::taken() {
  std::sort(rows_.begin(), rows_.end());
  std::vector<PlaceValue> column;
  column.reserve(rows_.size());
  for (const std::int32_t row : rows_) {
    column.push_back({row, values_[std::size_t(row)]});
    values_[std::size_t(row)] = 0.0;
    present_[std::size_t(row)] = false;
  }
  rows_.clear();
  return column;
}

void Bumps::for_landmarks(const std::function<void(Index l, ColumnSums& sums)>& body) const {
  parallel_chunks(count(), landmark_chunk, [&](Index begin, Index end) {
    ColumnSums sums(count());
    for (Index l = begin; l < end; ++l) {
      body(l, sums);
    }
  });
}

SparseMatrix Bumps::matrix_of(const Columns& columns) const {
  SparseMatrix matrix(count(), count());
  Eigen::VectorXi sizes(count());
  for (Index l = 0; l < count(); ++l) {
    sizes[l] = int(columns[std::size_t(l)].size());
  }
  matrix.reserve(sizes);
  for (Index l = 0; l < count(); ++l) {
    for (const PlaceValue& entry : columns[std::size_t(l)]) {
      matrix.insert(entry.place, l) = entry.value;
    }
  }
  matrix.makeCompressed();
  return matrix;
}

}  // namespace itomap::detail
