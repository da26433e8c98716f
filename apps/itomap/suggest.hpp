// "Did you mean ...?": the nearest of a set of names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace itomap::cli {

/// "did you mean NAME?" if a name is near enough to be what was meant, else `otherwise`.
std::string suggestion(std::string_view word, std::span<const std::string> names, std::string_view otherwise);

}  // namespace itomap::cli
