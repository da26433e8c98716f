// The points of a map: m rows of N coordinates, shared and never changed.
//
// Copies share the memory. A matrix is copied in or, as a temporary, taken over; memory that somebody else owns, a
// mapped file or an array of another language, is shared as it is.
//
//   PointCloud cloud = points;                                   // copied
//   PointCloud cloud = std::move(points);                        // taken over
//   PointCloud cloud = itomap::read_array("x.npy").cloud();      // the file itself
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap {

class PointCloud {
 public:
  PointCloud() = default;
  PointCloud(Points points);  // NOLINT(google-explicit-constructor): points are points
  template <class Derived>
  PointCloud(const Eigen::MatrixBase<Derived>& points)  // NOLINT(google-explicit-constructor)
      : PointCloud(Points(points)) {}
  /// m x N numbers in C order, kept alive by `data`.
  PointCloud(std::shared_ptr<const double> data, Index rows, Index cols);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Eigen::Map<const Points> view() const { return {data_.get(), rows_, cols_}; }

  /// Some of the rows, in a memory of their own.
  PointCloud subset(const std::vector<Index>& rows) const { return Points(view()(rows, Eigen::all)); }

 private:
  std::shared_ptr<const double> data_;
  Index rows_ = 0;
  Index cols_ = 0;
};

}  // namespace itomap
