#include "itomap/core/scale.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap {

std::string Scale::text() const {
  return is_balanced() ? "auto" : is_steepest() ? "steepest" : fmt::format("{}", value_);
}

Scale Scale::from_text(std::string_view text) {
  if (text == "auto") {
    return balanced();
  }
  if (text == "steepest") {
    return steepest();
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InvalidArgument(fmt::format("'{}' is no scale; give a positive number, auto or steepest", text));
  }
  return value;
}

void Scale::validate(std::string_view name) const {
  constexpr double smallest = 1e-280;  // below, r^2 / 4 epsilon is infinite for ordinary distances
  if (is_value() && (!(value_ >= smallest) || !std::isfinite(value_))) {
    throw InvalidArgument(fmt::format(
        "{}: {:g} is not a positive number within reach; the kernel is exp(-r^2 / 4 epsilon)", name, value_));
  }
}

}  // namespace itomap
