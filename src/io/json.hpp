// What the writers and readers of result.json share.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace itomap::detail {

using Json = nlohmann::ordered_json;

/// JSON has neither infinity nor NaN: they become null.
Json number(double value);

Json seconds_json(const std::map<std::string, double>& seconds);

/// RunRecord::parameters_json as an object.
Json parameters_json(const std::string& text);

/// Indented, with a newline at the end; file names that are not UTF-8 are mended.
std::string json_text(const Json& json);

}  // namespace itomap::detail
