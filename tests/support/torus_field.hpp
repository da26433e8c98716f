// Smooth functions on the flat torus [0, 2 pi)^2 that can be added, multiplied and differentiated exactly.
//
// A field is a finite sum of c cos(k x + l y + phase). Such sums are closed under all three operations, so a generator
// and its adjoint can be written down as in the paper:
//
//   forward = -d(b1 * f, 0) - d(b2 * f, 1) + ...
#pragma once

#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::exact {

class TorusField {
 public:
  TorusField(double constant);  // NOLINT(google-explicit-constructor): numbers are fields
  /// amplitude * cos(k x + l y + phase)
  static TorusField wave(double amplitude, int k, int l, double phase = 0.0);

  double operator()(double x, double y) const;
  /// At every row of an m x 2 array; y = 0 for m x 1.
  Vector at(PointsView points) const;

  TorusField& operator+=(const TorusField& other);
  friend TorusField operator+(TorusField a, const TorusField& b) { return a += b; }
  friend TorusField operator-(TorusField a, const TorusField& b) { return a += b * TorusField(-1.0); }
  friend TorusField operator*(const TorusField& a, const TorusField& b);
  friend TorusField d(const TorusField& f, int axis);

 private:
  struct Wave {
    double amplitude;
    int k;
    int l;
    double phase;
  };
  std::vector<Wave> waves_;
};

/// The derivative along axis 0 or 1, and the mixed second one.
TorusField d(const TorusField& f, int axis);
TorusField d(const TorusField& f, int first, int second);
TorusField laplacian(const TorusField& f);
/// grad f . grad g
TorusField gradient_product(const TorusField& f, const TorusField& g);

/// A diffusion on the torus with drift b(x) and full, position-dependent A(x), and its generators. Fields that do not
/// depend on y describe a diffusion on a circle: points with one coordinate are then enough.
struct TorusProcess {
  TorusField b[2];
  TorusField a[2][2];

  Points drift(PointsView points) const;
  Points diffusion(PointsView points) const;  ///< as Diffusion::matrices takes it

  TorusField backward(const TorusField& f) const;  ///< b . grad f + A_ij d_i d_j f
  TorusField forward(const TorusField& f) const;   ///< -div(b f) + d_i d_j (A_ij f)
  /// A_ij d_i f d_j g
  TorusField bilinear(const TorusField& f, const TorusField& g) const;
  /// The square of the generator with its coefficients frozen: b_i b_j d_ij + 2 b_i A_jk d_ijk + A_ij A_kl d_ijkl.
  TorusField frozen_square(const TorusField& f) const;
};

}  // namespace itomap::exact
