// From a definition to the generator: the three maps.
#pragma once

#include <vector>

#include "generator/generator.hpp"

namespace itomap::detail {

/// Epsilon must be a value; a density scale that is none follows it. The definition has been validated.
Generator build(MapDefinition definition);

/// The generator of definition.subset(rows), from that of all points where its kernel will do: no entry is computed
/// again. No point is dropped from `whole`, nor from the part.
Generator build_part(const MapDefinition& definition, const Generator& whole, const std::vector<Index>& rows);

}  // namespace itomap::detail
