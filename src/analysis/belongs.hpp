// Whether a spectrum is that of a map.
#pragma once

#include <fmt/format.h>

#include "itomap/core/error.hpp"
#include "itomap/spectrum/spectrum.hpp"

namespace itomap::detail {

/// Throws InvalidArgument unless there is one row for each point of the map.
inline void check_belongs(const Map& map, const Spectrum& spectrum) {
  if (spectrum.eigenfunctions.rows() != map.size() || spectrum.stationary.size() != map.size()) {
    throw InvalidArgument(fmt::format("spectrum: it has {} points, the map {}; pass the eigenpairs of this map",
                                      spectrum.eigenfunctions.rows(), map.size()));
  }
}

}  // namespace itomap::detail
