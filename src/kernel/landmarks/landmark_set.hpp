// Landmarks by themselves, without the points between them: where they lie, which see each other, and the factor F of
// their kernel, K_zz = F F^T.
#pragma once

#include <memory>
#include <vector>

#include "kernel/landmarks/strip_panel.hpp"

namespace itomap::detail {

class LandmarkSet {
 public:
  /// Kernels are exp(-|x - z|^2); below the cut-off, or a smaller one where it is too large to interpolate with, they
  /// are 0.
  explicit LandmarkSet(double cutoff);
  double cutoff() const { return cutoff_; }

  /// Takes these, in such coordinates and in spatial order.
  void set_places(const Points& places);
  const Points& places() const { return places_; }
  /// n.
  Index size() const { return places_.rows(); }
  const Strips& strips() const { return *strips_; }
  std::size_t memory() const;

  /// The kernels at these places, some consecutive points.
  void fill(const Points& places, StripPanel& panel) const { fill_near(strips(), places, limit_, cutoff_, panel); }

  /// Connected component of each, by kernels above the cut-off.
  const std::vector<Index>& component() const { return component_; }
  /// The same where points join some of them that see both; takes effect with the next factor.
  void set_components(std::vector<Index> component) { component_ = std::move(component); }
  /// Computes F; no product before.
  void factorise();

  /// F^-1 U, F^-T U and K_zz^-1 U, for some columns.
  Block whitened(PointsView u) const;
  Block unwhitened(PointsView u) const;
  Block solved(PointsView u) const { return unwhitened(whitened(u)); }
  /// F^-1 M F^-T.
  Matrix whitened_both(Matrix m, bool symmetric) const;

 private:
  double cutoff_;
  double limit_;
  Points places_;
  std::unique_ptr<const Strips> strips_;
  std::vector<Index> component_;
  Matrix factor_;  // F
};

}  // namespace itomap::detail
