// Memory for what a file claims to hold, asked for only if the machine has it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace itomap::detail {

/// Throws IoError, naming the file `name`, if that much memory is not free: better than being killed half way.
void require_memory(std::size_t bytes, const std::string& name);

/// `count` doubles, not initialised.
std::shared_ptr<double[]> new_values(std::size_t count, const std::string& name);

}  // namespace itomap::detail
