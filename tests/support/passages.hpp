// Exact and independent answers about passages in the double well U(x, y) = (x^2 - 1)^2 + y^2.
//
//   L f = Laplacian f + b . grad f,   b = -beta (grad U + swirl J grad U),   J a quarter turn
//
// keeps exp(-beta U) invariant for any swirl, and is reversible for swirl = 0. On a rectangle with reflecting sides and
// sets that depend on x alone, everything is an integral; for the rest there is a finite volume method (Scharfetter and
// Gummel's fluxes, a sparse LU solve) that shares nothing with kernels.
#pragma once

#include <functional>

#include "itomap/core/types.hpp"

namespace itomap::exact {

/// |x| < reach_x, |y| < reach_y.
struct Rectangle {
  double reach_x = 0.0;
  double reach_y = 0.0;

  /// Uniform points.
  Points sample(Index m, std::uint64_t seed) const;
};

/// Source x < -edge, sink x > edge, no swirl: the y-direction does not matter.
///
///   q(x) = int_-edge^x e^{beta U} / int_-edge^edge e^{beta U}
///   F = 1 / (int_-edge^edge e^{beta U} int e^{-beta U})
///   t(x) = int_x^edge e^{beta U(s)} int_-reach^s e^{-beta U(r)} dr ds
class WellPassage {
 public:
  WellPassage(double beta, double edge, double reach);

  double committor(double x) const;
  double flux() const { return flux_; }
  double rate() const { return rate_; }
  /// Mean first passage time to the sink.
  double time(double x) const;
  /// Averaged over the source with the invariant density.
  double time_from_source() const { return time_from_source_; }

 private:
  double interpolate(const Vector& values, double x) const;

  double edge_;
  double reach_;
  Vector committor_;  // at nodes
  Vector time_;
  double flux_ = 0.0;
  double rate_ = 0.0;
  double time_from_source_ = 0.0;
};

using Region = std::function<bool(double x, double y)>;

/// The same for any two regions and with swirl, on cells of width about h.
class PlanePassage {
 public:
  struct Problem {
    double beta = 1.0;
    double swirl = 0.0;
    Rectangle rectangle;
    Region source;
    Region sink;
  };
  PlanePassage(const Problem& problem, double h);

  /// Values of q+, q- and the time to the sink at points, bilinear between cell centres.
  Vector forward(PointsView points) const { return interpolate(forward_, points); }
  Vector backward(PointsView points) const { return interpolate(backward_, points); }
  Vector time(PointsView points) const { return interpolate(time_, points); }
  double flux() const { return flux_; }
  double rate() const { return rate_; }
  double time_from_source() const { return time_from_source_; }

 private:
  Vector interpolate(const Matrix& values, PointsView points) const;

  Rectangle rectangle_;
  Matrix forward_, backward_, time_;  // cells along x by cells along y
  double flux_ = 0.0;
  double rate_ = 0.0;
  double time_from_source_ = 0.0;
};

/// The drift b at points.
Points swirling_drift(PointsView points, double beta, double swirl);

}  // namespace itomap::exact
