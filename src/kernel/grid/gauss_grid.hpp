// The regular grid of a fast Gauss transform: its box, its spacing, its window.
//
// Coordinates are whitened: the kernel is exp(-|z - z'|^2). Along a periodic axis the grid spans one period, and the
// transform sums over all images by itself; along the others it is longer than the data by the reach of the kernel, so
// that the images it also sums there are too far away to count.
#pragma once

#include <array>
#include <vector>

#include "itomap/core/types.hpp"
#include "kernel/grid/fft.hpp"
#include "kernel/grid/spreading.hpp"

namespace itomap::detail {

/// Where sources and targets lie, and which axes close on themselves.
struct WhitenedBox {
  Vector low;
  Vector high;
  std::vector<double> period;  ///< one number per axis, 0 where it is not periodic
};

/// Where the window of one point lies along one axis; see WindowPlaces.
struct WindowPlace {
  Index first;
  double offset;
};

class GaussGrid {
 public:
  static constexpr Index max_dimension = 3;

  /// The cheapest grid for products of `points` points, every kernel value right to `accuracy`.
  static GaussGrid cheapest(const WhitenedBox& box, Index points, double accuracy);
  /// The cheapest for a moment matrix (moment_matrix.hpp) and some hundreds of products with it.
  static GaussGrid for_moments(const WhitenedBox& box, Index points, double accuracy);

  int dimension() const { return shape_.dimension; }
  int width() const { return width_; }
  const GridShape& shape() const { return shape_; }
  /// One factor per mode and axis.
  const std::array<std::vector<double>, 3>& factors() const { return factors_; }
  /// Valid as long as this grid is.
  SpreadPlan spread_plan() const;
  /// Where the window of a point at z lies along an axis. Decided here alone: who rounded differently would take the
  /// next grid point.
  WindowPlace place(int axis, double z) const;

  /// Where a grid point is, counted as it is stored.
  Eigen::RowVectorXd position(Index stored) const;
  /// Lengths after which the grid repeats itself, 0 along axes where it does not.
  std::vector<double> period() const;

  /// Grid points along all axes, in memory.
  double total() const { return total_; }
  /// Of one buffer, for four vectors.
  double bytes() const { return total_ * 4.0 * sizeof(double); }
  /// For a product with four vectors on one core.
  double predicted_seconds(Index points) const;
  double predicted_moment_seconds(Index points) const;

 private:
  template <class Seconds>
  static GaussGrid best_of_widths(const WhitenedBox& box, double accuracy, const Seconds& seconds);
  GaussGrid(const WhitenedBox& box, int width, double accuracy);
  void set_axis(int axis, const WhitenedBox& box, double spacing, double reach);
  void set_polynomials(double accuracy);
  void set_factors(int axis, double length, const class GaussWindow& window);

  int width_ = 0;
  int degree_ = 0;
  GridShape shape_;
  double total_ = 1.0;  // as a number that cannot overflow
  std::array<double, 3> origin_{};
  std::array<double, 3> spacing_{};
  std::array<std::vector<double>, 3> factors_;
  std::vector<double> polynomials_;
};

}  // namespace itomap::detail
