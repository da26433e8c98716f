// Eigenfunctions where the stationary weight is next to nothing.
//
// The symmetric form yields y = sqrt(phi_0) psi with an error of the solver's tolerance. Dividing by sqrt(phi_0) blows
// that error up where phi_0 is tiny: at weights of e^-148, psi would be noise. There the eigenvalue equation itself,
// psi = P psi / mu, says what psi must be, given its values where they are known: each such row averages over
// neighbours, the heavier the more they count.
#pragma once

#include <functional>
#include <vector>

#include "generator/generator.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::detail {

/// |S y - mu y| / |y| for y = sqrt(phi_0) psi, column by column.
using SymmetricResiduals = std::function<Vector(const Vector& mu, const Block& psi)>;

/// Replaces both eigenfunctions of the given modes, with eigenvalues mu of P, at the points of negligible weight; where
/// a mode lives there, at those where it is lost. Residuals are measured again, and what is worse than the tolerance
/// and than before is not taken. Adds a warning to `spectrum` if it fails.
void refine_tails(const Generator& generator, const Vector& mu, const std::vector<Index>& modes,
                  const SymmetricResiduals& residuals, double tolerance, Spectrum& spectrum);

}  // namespace itomap::detail
