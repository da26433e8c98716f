// Smooth bumps on thinned landmarks: functions on scattered places that add up to 1.
//
//   b_l(x) = w(|x - z_l|) / sum_k w(|x - z_k|),    w(r) = (1 - r^2 / 4 h^2)^2  for r < 2 h
//
// No two landmarks z are nearer to each other than h, and no place is farther than h from one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "itomap/core/types.hpp"
#include "neighbors/neighbor_search.hpp"
#include "solvers/sparse_factor.hpp"

namespace itomap::detail {

/// Places in an order of their own, in which all that lie near another are quickly found.
class PlaceSearch {
 public:
  /// `members`: the places that take part.
  PlaceSearch(PointsView places, const std::vector<Index>& members, double radius);

  /// Calls body(place, squared distance) for all within `radius` of the centre, in a fixed order.
  template <class Body>
  void within(const double* centre, double radius, std::vector<IndexRange>& scratch, const Body& body) const {
    const Vector half_widths = Vector::Constant(sorted_.cols(), radius);
    search_->candidates(centre, {half_widths.data(), radius}, scratch);
    const Eigen::Map<const Eigen::RowVectorXd> c(centre, sorted_.cols());
    for (const IndexRange range : scratch) {
      for (Index k = range.begin; k < range.end; ++k) {
        const double square = (sorted_.row(k) - c).squaredNorm();
        if (square < radius * radius) {
          body(numbers_[std::size_t(k)], square);
        }
      }
    }
  }

  /// The places as they are searched.
  const std::vector<Index>& numbers() const { return numbers_; }

 private:
  Points sorted_;
  std::vector<Index> numbers_;
  std::unique_ptr<NeighborSearch> search_;
};

/// A number that belongs to a place or a landmark.
struct PlaceValue {
  std::int32_t place;
  double value;
};

class Bumps {
 public:
  /// On those of the places that are members; the others have none. `spacing`: h. More than `most` landmarks are none.
  Bumps(PointsView places, const std::vector<Index>& members, double spacing, Index most);

  /// 0 if there would have been more than `most`.
  Index count() const { return Index(landmarks_.size()); }
  double spacing() const { return spacing_; }
  const std::vector<Index>& landmarks() const { return landmarks_; }
  /// Values of the bumps that a place has a part in.
  const std::vector<PlaceValue>& at(Index place) const { return at_place_[std::size_t(place)]; }

  /// B y: functions on the places.
  Block expand(const Matrix& y) const;
  /// B^T f.
  Matrix sums(PointsView f) const;
  /// B^T diag(w) F for functions F that are known where they are not nothing: values(l) of the l-th, at places.
  template <class Values>
  SparseMatrix seen(const Values& values, const Vector& weights) const {
    Columns columns(landmarks_.size());
    for_landmarks([&](Index l, ColumnSums& sums) {
      for (const PlaceValue& part : values(l)) {
        for (const PlaceValue& bump : at(part.place)) {
          sums.add(bump.place, weights[part.place] * part.value * bump.value);
        }
      }
      columns[std::size_t(l)] = sums.taken();
    });
    return matrix_of(columns);
  }
  /// B^T diag(w) B.
  SparseMatrix gram(const Vector& weights) const;

 private:
  using Columns = std::vector<std::vector<PlaceValue>>;

  /// A column of a sparse matrix while it is summed.
  class ColumnSums {
   public:
    explicit ColumnSums(Index rows) : values_(std::size_t(rows), 0.0), present_(std::size_t(rows), false) {}
    void add(std::int32_t row, double value) {
      if (!present_[std::size_t(row)]) {
        present_[std::size_t(row)] = true;
        rows_.push_back(row);
      }
      values_[std::size_t(row)] += value;
    }
    /// By row; it is empty then.
    std::vector<PlaceValue> taken();

   private:
    std::vector<double> values_;
    std::vector<bool> present_;
    std::vector<std::int32_t> rows_;
  };

  void for_landmarks(const std::function<void(Index l, ColumnSums& sums)>& body) const;
  SparseMatrix matrix_of(const Columns& columns) const;

  void thin(PointsView places, const PlaceSearch& search, Index most);
  void spread(PointsView places, const PlaceSearch& search);

  double spacing_;
  std::vector<Index> landmarks_;
  std::vector<std::vector<PlaceValue>> at_place_;     // place: the landmark's number
  std::vector<std::vector<PlaceValue>> at_landmark_;  // the same by landmark
};

}  // namespace itomap::detail
