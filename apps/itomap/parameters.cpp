#include "parameters.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace itomap::cli {
namespace {

struct ToJson {
  nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
  template <class T>
  nlohmann::ordered_json operator()(const T& value) const {
    return value;
  }
};

}  // namespace

std::string parameters_json(std::span<const Option> options) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& option : options) {
    std::string key(option.name);
    std::ranges::replace(key, '-', '_');
    object[key] = std::visit(ToJson{}, option.binding.value());
  }
  // File names need not be UTF-8, JSON must be.
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace itomap::cli
