// A kernel known at landmarks, and interpolated between them.
//
// Row i of the kernel is a smooth function of the other point, y -> k_i(y). Its values at n landmarks z_l determine it,
// in the space that kernels k(., z_l) of one width span:
//
//   k_i(y)  ~  sum_lm  k_i(z_l) [K_zz^-1]_lm k(z_m, y)           K  ~  T K_zz^-1 S^T  =  (T F^-T) (S F^-T)^T
//
// with T = k_i(z_l) the rows at the landmarks, S = k(x_j, z_m), K_zz = F F^T. It is exact at the landmarks, and for an
// isotropic kernel, where T = S, the best approximation from below that they allow (Nystroem). T and S are as tall as
// the data and never stored: each use computes them anew, some points at a time, leaving out landmarks beyond the
// cut-off. All that is kept is n x n.
//
// Rows with a metric of their own are interpolated by kernels as narrow as the narrowest of them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/reporter.hpp"
#include "kernel/kernel_geometry.hpp"
#include "kernel/landmarks/landmark_set.hpp"
#include "kernel/landmarks/strip_panel.hpp"

namespace itomap::detail {

/// S and T.
enum class KernelSide { Sources, Targets };

class LandmarkKernel {
 public:
  explicit LandmarkKernel(KernelGeometry geometry);

  const KernelGeometry& geometry() const { return geometry_; }
  Index points() const { return geometry_.size(); }
  /// n.
  Index landmarks() const { return set_.size(); }
  std::size_t memory() const;

  /// Stored points [begin, end) in the coordinates of the landmarks: the kernels that interpolate are
  /// exp(-|x - z|^2).
  Points places(Index begin, Index end) const;
  Points places(const std::vector<Index>& stored) const;

  /// Takes these landmarks, in such coordinates and in spatial order.
  void set_landmarks(const Points& places);
  /// Those that it has.
  const Points& landmark_places() const { return set_.places(); }
  /// Connected component of each landmark, by kernels above the cut-off.
  const std::vector<Index>& landmark_component() const { return set_.component(); }
  /// The same where points join some of them that see both; takes effect with the next factor.
  void set_components(std::vector<Index> component) { set_.set_components(std::move(component)); }
  /// Computes F; no product before.
  void factorise() { set_.factorise(); }

  /// Calls body(panel) for all points, some at a time, on all threads; panels must not write to the same place.
  using PanelBody = std::function<void(const StripPanel& panel)>;
  void for_panels(KernelSide side, const PanelBody& body, Reporter* reporter = nullptr) const;
  void fill(KernelSide side, Index begin, Index end, StripPanel& panel) const;
  /// The row of one stored point, n numbers.
  Vector row(KernelSide side, Index i) const;

  /// S^T X or T^T X, and S U or T U; X and Y are in the caller's order.
  Block gather(KernelSide side, PointsView x) const;
  void spread(KernelSide side, PointsView u, Eigen::Ref<Block> y) const;

  /// F^-1 U, F^-T U and K_zz^-1 U, for some columns.
  Block whitened(PointsView u) const { return set_.whitened(u); }
  Block unwhitened(PointsView u) const { return set_.unwhitened(u); }
  Block solved(PointsView u) const { return set_.solved(u); }

  /// That moments of so many landmarks take while they are summed.
  static double moment_bytes(double landmarks);
  /// F^-1 (S^T diag(weights) T) F^-T; weights are in the caller's order, not negative if the kernel is symmetric.
  Matrix moments(const Vector& weights) const;

 private:
  void fill_own_metric(Index begin, Index end, StripPanel& panel) const;
  Matrix raw_moments(const Vector& weights) const;
  void add_moments(Index begin, Index end, const Vector& weights, double* tiles) const;
  double scale_of_varying_metric() const;
  Points placed(const Points& rows) const;
  bool same_metric() const { return scale_ == 0.0; }

  KernelGeometry geometry_;
  double scale_ = 0.0;  // places are this times the points; 0: the geometry's own whitening
  LandmarkSet set_;
  Matrix columns_;  // landmarks as the points are, one coordinate per column, for rows with a metric of their own
};

}  // namespace itomap::detail
