// What the commands share that write JSON of their own.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace itomap::cli {

using Json = nlohmann::ordered_json;

/// JSON has neither infinity nor NaN: they become null.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class Values>
Json numbers(const Values& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(number(value));
  }
  return list;
}

/// Indented, with a newline at the end; file names that are not UTF-8 are mended.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace itomap::cli
