// The result as a person reads it.
#pragma once

#include <string>

#include "itomap/generator/map.hpp"
#include "itomap/io/result.hpp"
#include "itomap/spectrum/spectrum.hpp"
#include "map_settings.hpp"

namespace itomap::cli {

/// What was computed and how, then one line per eigenpair.
std::string summary(const MapSettings& settings, const RunRecord& run, const std::string& map_report,
                    const Spectrum& spectrum, const ErrorBars* error_bars);

/// A report of the library as a terminal shows it: its heading bold, what is not to be trusted in another colour.
std::string emphasised(const std::string& report);

/// "Written to DIR: ..." with the names of its files.
std::string written_to(const std::string& directory);

/// Where the files are, or how to get some.
std::string where_to_find(const MapSettings& settings);

}  // namespace itomap::cli
