// Diffusion coordinates: the eigenfunctions scaled by how much of them is left after time t.
//
//   Psi_t(x) = (e^{lambda_1 t} psi_1(x), e^{lambda_2 t} psi_2(x), ...)
//
// Euclidean distance in these coordinates is the diffusion distance of the process. A complex pair gives its real and
// its imaginary part, so that there are always K real coordinates.
#pragma once

#include "itomap/core/types.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap {

/// m x K. The paper uses time = 1.
Block embedding(const Spectrum& spectrum, double time = 1.0);

}  // namespace itomap
