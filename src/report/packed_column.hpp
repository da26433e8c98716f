// A column of numbers as the page holds it: short, and as exact as asked.
//
// Numbers become whole numbers that have the same order, neighbours are subtracted, small differences of either sign
// become small numbers, their bytes are sorted by significance, and all of it is deflated:
//
//   values -> ordered integers k_i -> zigzag(k_i - k_{i-1}) -> all lowest bytes, all second bytes, .. -> deflate (RFC
//   1951)
//
// Points that are close in space follow each other (point_order.hpp), so that most of the high bytes are 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace itomap::detail {

enum class Precision {
  Coarse,  ///< 4,094 steps from the smallest to the largest value
  Steps,   ///< 65,534 of them
  Single,  ///< float
  Double   ///< exact
};

/// "coarse", "steps", "single" or "double".
std::string_view to_string(Precision precision);

struct PackedColumn {
  Precision precision = Precision::Steps;
  int steps = 0;             ///< of Coarse and Steps
  bool logarithmic = false;  ///< steps of the logarithm, so that small values keep their digits
  double low = 0.0;          ///< of what is divided into steps
  double high = 0.0;
  std::string bytes{};
};

/// `logarithmic` is for values that are not negative, and matters to Steps alone. NaN stays NaN; so do infinities,
/// which neither Steps nor pictures have.
PackedColumn pack(std::span<const double> values, Precision precision, bool logarithmic);

/// Whole numbers from 0 to 2^32 - 1 in any order, exactly.
std::string pack_numbers(std::span<const std::uint32_t> numbers);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// The length of that.
constexpr std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace itomap::detail
