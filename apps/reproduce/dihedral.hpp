// The dihedral angle of a chain of four atoms, and how much of a function it explains.
#pragma once

#include "itomap/core/types.hpp"

namespace itomap::reproduce {

/// The angle between the planes (1, 2, 3) and (2, 3, 4) of each frame, m x 12, in degrees from 0 to 360: 180 where the
/// ends of the chain are farthest apart (anti), near 60 and 300 for the two gauche forms, which are mirror images.
Vector dihedral_angles(PointsView frames);

/// 1, cos, sin, cos of twice the angle, ... up to `harmonics`: one row for each angle in degrees.
Points angle_functions(VectorView angles, Index harmonics);

/// A smooth function of an angle in degrees: a Fourier sum, fitted to `values` at `angles` by least squares.
struct AngleFit {
  Vector coefficients;            ///< 1, cos, sin, cos of twice the angle, ...
  double explained = 0.0;         ///< share of the variance of the values
  double at(double angle) const;  ///< the sum
};
AngleFit fit_by_angle(VectorView angles, VectorView values, Index harmonics);

}  // namespace itomap::reproduce
