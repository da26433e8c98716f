// The window that carries points to a regular grid and back, and how wide it must be.
//
// The fast Gauss transform replaces exp(-|z - z'|^2) by a sum over grid points and Fourier modes. A Kaiser-Bessel
// window of `width` grid points smears each point out on the grid; dividing by the window's transform undoes that for
// all modes but their aliases, which are the error. It falls with the width and with a finer grid, and the kernel's own
// transform exp(-k^2/4) silences the high modes where it is worst. For an accuracy asked for there is one grid spacing
// for every width: narrow windows on fine grids suit many points, wide ones on coarse grids few.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

class GaussWindow {
 public:
  static constexpr int narrowest = 3;
  static constexpr int widest = 14;

  /// The window of so many grid points, on the coarsest grid on which every kernel value along one axis is right to
  /// `accuracy`, 1e-13 <= accuracy <= 1e-2.
  GaussWindow(int width, double accuracy);

  /// The same, remembered by the calling thread: a scan of scales makes hundreds of grids with the same few windows.
  static const GaussWindow& remembered(int width, double accuracy);

  int width() const { return width_; }
  /// Grid spacing in units of the kernel exp(-z^2); 0 if the window is too narrow for the accuracy on any grid.
  double spacing() const { return spacing_; }

  /// The window's Fourier transform at an angle of `kappa` per grid point.
  double transform(double kappa) const;

  /// Modes above this angle per grid point are left out at that spacing.
  double highest_mode(double spacing) const;

  /// The window as polynomials: its value at the l-th of the grid points it covers, which lies l - width/2 + f from the
  /// point, 0 <= f < 1, is sum_k c[k * padded_width + l] g^k with g = 2 f - 1.
  std::vector<double> polynomials(int padded_width, int& degree) const;

  /// Bound of the error of exp(-z^2) on a grid of that spacing, along one axis.
  double error(double spacing) const;

 private:
  void set_shape(double shape);
  double value(double u) const;
  Matrix fitted(int degree) const;
  double misfit(const Matrix& coefficients) const;

  int width_;
  double accuracy_;
  double shape_ = 0.0;
  double norm_ = 1.0;
  double spacing_ = 0.0;
};

}  // namespace itomap::detail
