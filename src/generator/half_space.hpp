// A flat wall, as a Gaussian kernel sees it. All that is known of walls follows from it.
//
// Points fill a half space evenly, and one of them is b widths (4 epsilon)^1/2 away from its wall: b > 0 inside. Of its
// kernel exp(-t^2), t in widths,
//
//   share         V(b) = (1 + erf b) / 2                     lies inside,
//   displacement  h(b) = e^(-b^2) / (pi^1/2 (1 + erf b))     is the mean of t along the normal, over that part,
//   shortfall     b h(b)                                     is what the mean of t^2 lacks of 1/2.
//
// absorbing_weight t(b) solves  t(x) int_0^inf k(x - y) t(y) y dy = x:  with it, k(x - y) t(x) t(y) is symmetric and
// leaves the linear function alone that vanishes at the wall, as a process does that ends there.
//
// reflecting_weight s(b) solves  s(x) int_0^inf k(x - y) s(y) dy = 1:  with it, the kernel k(x - y) s(x) s(y) keeps all
// of its mass inside and is symmetric, so that the process it stands for is reflected.
#pragma once

namespace itomap::detail {

double share_inside(double b);
double displacement(double b);
double reflecting_weight(double b);
double absorbing_weight(double b);  ///< 0 from the wall on, b <= 0

/// How far outside of a half space a point is that has this share of its kernel in it: the inverse of 1 - V.
double distance_from_share(double share);

/// The inverse of `displacement`, which falls from infinity to 0; no less than -3 and no more than `far_inside`.
double distance_of(double displacement);

/// Where nothing is seen of a wall: 1 - V is 1e-8.
constexpr double far_inside = 4.0;

/// Distances from two walls that stand upright on each other, the nearer one first.
struct WallCorner {
  double nearer;
  double farther;
};

/// From the square of the displacement, h_1^2 + h_2^2, and the shortfall of both, b_1 h_1 + b_2 h_2. What one wall
/// explains better than two has the second one far away.
WallCorner corner_of(double squared_displacement, double shortfall);

}  // namespace itomap::detail
