#include "core/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace itomap::detail {

std::string plural(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string imaginary_text(double im) {
  return im == 0 ? "" : fmt::format("{} {:.5g}i", im < 0 ? '-' : '+', std::abs(im));
}

std::string report_line(std::string_view label, std::string_view value) {
  return fmt::format("  {:<17}{}\n", label, value);
}

}  // namespace itomap::detail
