// The options of a run as they stand, for result.json.
#pragma once

#include <span>
#include <string>

#include "option.hpp"

namespace itomap::cli {

/// All options, defaults included, as a JSON object: "density-epsilon" becomes the key "density_epsilon", what is not
/// set becomes null.
std::string parameters_json(std::span<const Option> options);

}  // namespace itomap::cli
