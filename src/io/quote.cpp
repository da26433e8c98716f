#include "io/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace itomap::detail {
namespace {

constexpr std::size_t longest = 60;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string_view cut(std::string_view text) {
  std::size_t length = longest;
  while (length > 0 && continues_character(text[length])) {
    --length;
  }
  return text.substr(0, length);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text.size() > longest ? cut(text) : text) {
    quoted += is_control(c) ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return quoted + (text.size() > longest ? "...'" : "'");
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + quote(names[i]);
  }
  return names.size() > most ? text + ", ..." : text;
}

}  // namespace itomap::detail
