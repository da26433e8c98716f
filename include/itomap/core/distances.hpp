// Distances instead of points: for data that has no coordinates, or none that a straight line means anything in.
//
// RMSD between molecules, shortest paths on a graph, Jaccard distances between sets: the diffusion map and TMDmap need
// nothing but |x_i - x_j|. Either all of them, n x m numbers in C order, where an infinite one is too far to be seen;
// or a list of those that are known, row by row, all others being too far to be seen.
//
//   Distances all(PointCloud(matrix));                                      // shared, not copied, where it can be
//   Distances near = Distances::listed(m, m, begin, columns, values).symmetrised();
//   const auto map = itomap::diffusion_map(near, {.epsilon = 0.01});
//
// Columns are the points of the map. Rows are these again (a map needs m x m, symmetric, 0 on the diagonal), or new
// points (extend).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "itomap/core/point_cloud.hpp"
#include "itomap/core/types.hpp"

namespace itomap {

class Distances {
 public:
  /// None at all.
  Distances() = default;
  explicit Distances(PointCloud all);
  /// Row i has the columns columns[k] at the distances values[k], begin[i] <= k < begin[i + 1], in any order. Throws
  /// InvalidArgument if these are not lists of n rows and m columns, or name a column twice.
  static Distances listed(Index rows, Index cols, std::vector<Index> begin, std::vector<std::int32_t> columns,
                          std::vector<double> values);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool empty() const { return rows_ == 0; }
  bool is_listed() const { return list_ != nullptr; }
  /// Distances that are known, the diagonal included.
  Index known() const;

  /// Calls body(column, distance) for what is known of a row and not infinite, by ascending column.
  template <class Body>
  void for_row(Index row, const Body& body) const;

  /// A list of neighbours is often one-sided, and without the point itself: what is known of (i, j) alone holds for
  /// (j, i), too, of two that differ by rounding the first counts, and the diagonal is 0. Nothing to do where all
  /// distances are given.
  Distances symmetrised() const;

  /// Some of the points: these rows and columns.
  Distances subset(const std::vector<Index>& points) const;
  /// All rows, some of the columns.
  Distances columns(const std::vector<Index>& points) const;

  /// Throws InvalidArgument, naming row and column, if one is negative or not a number.
  void validate() const;
  /// Likewise if they are not those of m >= 2 points to each other: m x m, 0 on the diagonal, symmetric.
  void validate_symmetric() const;

  /// All of them, row by row; not for lists.
  Eigen::Map<const Points> all() const { return all_.view(); }
  /// The lists; not where all are given.
  const std::vector<Index>& list_begin() const { return list_->begin; }
  const std::vector<std::int32_t>& list_columns() const { return list_->columns; }
  const std::vector<double>& list_values() const { return list_->values; }

 private:
  struct List {
    std::vector<Index> begin;
    std::vector<std::int32_t> columns;
    std::vector<double> values;
  };

  Index rows_ = 0;
  Index cols_ = 0;
  PointCloud all_;
  std::shared_ptr<const List> list_;
};

template <class Body>
void Distances::for_row(Index row, const Body& body) const {
  if (is_listed()) {
    for (Index k = list_->begin[std::size_t(row)]; k < list_->begin[std::size_t(row) + 1]; ++k) {
      if (list_->values[std::size_t(k)] <= std::numeric_limits<double>::max()) {
        body(Index(list_->columns[std::size_t(k)]), list_->values[std::size_t(k)]);
      }
    }
    return;
  }
  const auto view = all_.view();
  for (Index j = 0; j < cols_; ++j) {
    if (view(row, j) <= std::numeric_limits<double>::max()) {
      body(j, view(row, j));
    }
  }
}

}  // namespace itomap
