// Text from a file, made fit for a one-line message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace itomap::detail {

/// In single quotes, control characters as \xNN, long text cut off (never inside a UTF-8 character).
std::string quote(std::string_view text);

/// "'a', 'b', 'c'": the first dozen of them.
std::string list_names(const std::vector<std::string>& names);

}  // namespace itomap::detail
