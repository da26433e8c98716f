#include "io/json.hpp"

#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap::detail {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json seconds_json(const std::map<std::string, double>& seconds) {
  Json stages = Json::object();
  for (const auto& [stage, time] : seconds) {
    stages[stage] = number(time);
  }
  return stages;
}

Json parameters_json(const std::string& text) {
  Json parameters = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!parameters.is_object()) {
    throw InvalidArgument("RunRecord::parameters_json is not a JSON object");
  }
  return parameters;
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace itomap::detail
