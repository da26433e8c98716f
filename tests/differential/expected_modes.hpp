// Which modes a spectrum must hold, and which of them are flagged, from the dense decomposition.
//
// A mode is true if its statistical error 1 / sqrt(n) is within `spurious_error`, n its effective number of points.
// Zero modes tell one component from all heavier ones. Components of fewer than 1 / spurious_error^2 points, but for
// the largest of all, have flagged modes only.
//
// Tolerances. The pairs returned span a subspace that is invariant for the matrix plus a perturbation no larger than
// their residuals together, delta. Eigenvalues of a symmetric matrix move by at most delta. Those of any other lie in
// the union of discs of radius n kappa_i delta around the exact ones, n the size of the matrix and kappa_i the
// condition of the eigenvalue, and every connected part of that union holds as many perturbed as exact ones (Elsner,
// Gershgorin). Eigenvalues whose discs overlap are therefore counted together: a bundle.
#pragma once

#include <vector>

#include "differential/checks.hpp"

namespace itomap::differential {

enum class Flag { True, Spurious, Either };  // Either: too close to the limit, or vectors may be mixed at will

struct ExpectedMode {
  std::complex<double> mu;
  double radius = 0.0;
  Flag flag = Flag::Either;
  bool in_large_component = true;
  Index bundle = 0;
};

struct ExpectedModes {
  std::vector<ExpectedMode> modes;  ///< by descending real part
  Index bundles = 0;
  double perturbation = 0.0;  ///< delta

  Index asked = 0;  ///< true modes, lambda_0 included
  Index cap = 0;    ///< spurious ones that are listed beside them
};

ExpectedModes expected_modes(const Solved& solved);

/// The least and the most effective points of any unit vector in the span of vectors with these leverages, the sums of
/// their squared entries.
struct Range {
  double low;
  double high;
};
Range effective_range(const Vector& leverage);

}  // namespace itomap::differential
