// The definition of a map as JSON, and back: all but its arrays, which lie beside it as files.
#pragma once

#include "io/json.hpp"
#include "io/result_entry.hpp"
#include "itomap/generator/map_definition.hpp"

namespace itomap::detail {

/// Of the format that is written. Results without one are of the first; the second knew one normalization and one step.
inline constexpr Index result_format = 3;

/// Exactly the fields that the method has.
Json to_json(const MapDefinition& definition);

/// The inverse, of the second format or later. Throws IoError that names a field that is missing, unknown to the
/// method, or out of range.
MapDefinition from_json(const ResultEntry& definition, Index format);

/// What lies beside it as files: points, or distances instead.
enum class StoredCloud { Points, AllDistances, ListedDistances };
StoredCloud stored_cloud(const ResultEntry& definition);

/// The definition in a result of the first format, which kept the command line's options instead.
MapDefinition from_first_format(const ResultEntry& result);

}  // namespace itomap::detail
