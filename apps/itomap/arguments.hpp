// From words on the command line to the variables that the options are bound to.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "option.hpp"

namespace itomap::cli {

/// Parses `words` (those after the command) into the options. Throws InvalidArgument with one line: an unknown option
/// (with the nearest name), a value that is missing or wrong, an option given twice, a required one that is absent.
void parse_arguments(std::string_view command, std::span<const Option> options, const std::vector<std::string>& words);

}  // namespace itomap::cli
