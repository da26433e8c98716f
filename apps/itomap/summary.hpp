// The result as a person reads it.
#pragma once

#include <string>

#include "itomap/generator/generator.hpp"
#include "itomap/io/result.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "map_settings.hpp"

namespace itomap::cli {

/// What was computed and how, then one line per eigenpair.
std::string summary(const MapSettings& settings, const RunRecord& run, const Generator& generator,
                    const Spectrum& spectrum, const Uncertainty* uncertainty);

/// "+ 0.885i" behind a real part; nothing for 0.
std::string imaginary_text(double im);

/// "Written to DIR: ..." with the names of its files.
std::string written_to(const std::string& directory);

/// Where the files are, or how to get some.
std::string where_to_find(const MapSettings& settings);

}  // namespace itomap::cli
