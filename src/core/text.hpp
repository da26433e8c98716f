// Words and numbers in reports.
#pragma once

#include <string>
#include <string_view>

#include "itomap/core/types.hpp"

namespace itomap::detail {

/// "1 point", "2 points".
std::string plural(Index count, std::string_view noun);

/// "+ 0.885i" behind a real part; nothing for 0.
std::string imaginary_text(double im);

/// "  label            value" and the end of the line.
std::string report_line(std::string_view label, std::string_view value);

}  // namespace itomap::detail
