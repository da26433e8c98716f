// Eigenfunctions where the stationary weight is next to nothing.
//
// The symmetric form yields y = sqrt(phi_0) psi with an error of the solver's tolerance. Dividing by sqrt(phi_0) blows
// that error up where phi_0 is tiny: at weights of e^-148, psi would be noise. There the eigenvalue equation itself,
// psi = P psi / mu, says what psi must be, given its values where they are known: each such row averages over
// neighbours, the heavier the more they count.
#pragma once

#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// Replaces psi (m x n, eigenvalues mu of P) at all points of negligible weight, but for the modes that `spectrum` has
/// flagged: these may live there. Adds products and, if it fails, a warning to `spectrum`.
void refine_tails(const Generator& generator, const Vector& mu, const Vector& stationary, Block& psi,
                  Spectrum& spectrum);

}  // namespace itomap
