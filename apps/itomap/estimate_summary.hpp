// An estimate of drift and diffusion as a person reads it.
#pragma once

#include <string>

#include "itomap/dynamics/kramers_moyal.hpp"

namespace itomap::cli {

/// Least, median and largest of what was found over the points; `source` says where it came from.
std::string estimate_summary(const DynamicsEstimate& estimate, const std::string& source, double seconds);

}  // namespace itomap::cli
