#include "shell.hpp"

namespace itomap::cli {
namespace {

constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";

// Between single quotes nothing means anything but the quote itself.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
    return word;
  }
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

}  // namespace

std::string shell_command(std::string_view command, const std::vector<std::string>& words) {
  std::string text = "itomap " + std::string(command);
  for (const auto& word : words) {
    text += " " + quoted(word);
  }
  return text;
}

}  // namespace itomap::cli
