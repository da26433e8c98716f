// Which modes of a spectrum count, and how far one function is from another.
#pragma once

#include <vector>

#include "itomap/core/types.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::reproduce {

/// Indices n >= 1 of the modes that are not flagged as spurious, slowest first.
std::vector<Index> trusted_modes(const Spectrum& spectrum);

/// f with the sign that makes its product with `like` positive.
Vector aligned(VectorView f, VectorView like);

/// |f - g| / |g| in the l2 norm over the points, both scaled to the same norm and sign: eigenfunctions have neither.
double shape_error(VectorView f, VectorView g);

/// |f - g| / |g| in the l1 norm over the points, both scaled to sum 1: densities have no scale of their own.
double density_error(VectorView f, VectorView g);

/// |correlation| of f and g under the weights, 0 to 1.
double correlation(VectorView f, VectorView g, VectorView weights);

}  // namespace itomap::reproduce
