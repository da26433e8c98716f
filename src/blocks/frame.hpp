// Points of a block in the coordinates of a kernel: exp(-|z_i - z_j|^2), folded into one period where they are
// periodic.
#pragma once

#include <vector>

#include "kernel/grid/gauss_grid.hpp"
#include "kernel/whitening.hpp"

namespace itomap::detail {

class KernelFrame {
 public:
  /// `origin` is taken off the coordinates that are not periodic, so that none is large: any point of the data.
  KernelFrame(Whitening whitening, std::vector<double> period, const Eigen::RowVectorXd& origin, double cutoff);

  Index dimension() const { return origin_.size(); }
  /// Of rows x, and of where an Euler step of the rows ends.
  Points places(PointsView rows) const;
  Points places(PointsView rows, PointsView steps) const { return places(rows + steps); }

  /// One number per axis, 0 where it is not periodic; empty if none is.
  const std::vector<double>& period() const { return whitened_period_; }
  double limit() const { return limit_; }
  double reach() const;
  /// Of every kernel value, on a grid.
  double accuracy() const;
  /// |z - z'|^2 to the nearest image.
  double squared_distance(const double* z, const double* other) const;

 private:
  Whitening whitening_;
  std::vector<double> period_;
  std::vector<double> whitened_period_;
  Eigen::RowVectorXd origin_;
  double limit_;
};

}  // namespace itomap::detail
