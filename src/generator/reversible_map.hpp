// The generators of diffusion map and TMDmap: one symmetric kernel, which also gives the density.
#pragma once

#include <vector>

#include "generator/generator.hpp"

namespace itomap::detail {

Generator reversible_generator(MapDefinition definition);

/// The generator of `part`, the definition on some of the points of `whole`, from the kernel of all. Only for a fixed
/// bandwidth: a variable one knows how many points there are.
Generator reversible_part(const Generator& whole, MapDefinition part, const std::vector<Index>& points);

}  // namespace itomap::detail
