// The generator of LKDmap: a local kernel, and the density of an isotropic one.
#pragma once

#include "generator/generator.hpp"

namespace itomap::detail {

Generator local_generator(MapDefinition definition);

/// The density scale that makes both kernels equally wide: epsilon is a time, the density's scale a squared length, and
/// the spread of A, a squared length per time, converts.
double matched_density_epsilon(const MapDefinition& definition, double epsilon);

}  // namespace itomap::detail
