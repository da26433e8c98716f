#include "generator/build.hpp"

#include <utility>

#include "generator/local_map.hpp"
#include "generator/reversible_map.hpp"

namespace itomap::detail {

Generator build(MapDefinition definition) {
  return definition.local() ? local_generator(std::move(definition)) : reversible_generator(std::move(definition));
}

Generator build_part(const MapDefinition& definition, const Generator& whole, const std::vector<Index>& rows) {
  MapDefinition part = definition.subset(rows);
  return part.local() || !part.bandwidth.fixed() ? build(std::move(part))
                                                 : reversible_part(whole, std::move(part), rows);
}

}  // namespace itomap::detail
