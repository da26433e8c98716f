// The texts of `itomap`, `itomap --help` and `itomap COMMAND --help`.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "command.hpp"

namespace itomap::cli {

std::string overview(std::span<const std::unique_ptr<Command>> commands);
std::string command_help(Command& command);

}  // namespace itomap::cli
