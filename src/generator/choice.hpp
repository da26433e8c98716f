// The scales of a map whose definition leaves them to a rule.
//
// Declared here and implemented in src/scales/choice.cpp, on top of everything that maps are made of: a rule tries
// maps.
#pragma once

#include <memory>
#include <string>

#include "itomap/core/ranks.hpp"
#include "itomap/generator/map_definition.hpp"

namespace itomap {
struct ScaleScan;
}

namespace itomap::detail {

struct ScaleChoice {
  Scale epsilon = Scale::balanced();
  Scale density_epsilon = Scale::balanced();
  Index bandwidth_dimension = 0;            ///< as given, or that of the scan
  std::string reason{};                     ///< why, where epsilon was chosen from the data
  std::string warning{};                    ///< where even the best scale is poor
  std::shared_ptr<const ScaleScan> scan{};  ///< that it was chosen from
};

/// Values for both scales. Where the definition gives values they are kept; a density scale that is not given follows
/// epsilon, or is scanned with it. Processes that share this make different maps at a time, each by itself: the present
/// execution must have no ranks.
ScaleChoice choose_scales(const MapDefinition& definition, const Ranks* ranks = nullptr);

}  // namespace itomap::detail
